package io.rankfeed.export.format.record;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import java.util.Set;

/** Records of {@code tf.train.Example}, with the index that the package {@code tfrecord} uses. Stores every type. */
public final class TfRecord implements Format {
    static final String INDEX = "index";
    private static final String NAME = "tfrecord";
    /** The option with {@code values} or {@code bytes}. */
    static final String TENSORS = "tensors";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> options() {
        return Set.of(INDEX, TENSORS);
    }

    @Override
    public boolean onePart() {
        return false;
    }

    @Override
    public void check(FileSet set) {
        index(set);
        rawTensors(set);
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) {
        return new TfRecordWriter(set, part, files);
    }

    /** Whether tensors are stored as their bytes. */
    static boolean rawTensors(FileSet set) {
        return set.options().oneOf(NAME, TENSORS, "values", "bytes").equals("bytes");
    }

    static boolean index(FileSet set) {
        return set.options().oneOf(NAME, INDEX, "true", "false").equals("true");
    }
}
