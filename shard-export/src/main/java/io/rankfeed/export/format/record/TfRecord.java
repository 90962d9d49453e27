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

    @Override
    public String name() {
        return "tfrecord";
    }

    @Override
    public Set<String> options() {
        return Set.of(INDEX);
    }

    @Override
    public boolean onePart() {
        return false;
    }

    @Override
    public void check(FileSet set) {
        index(set);
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) {
        return new TfRecordWriter(set, part, files);
    }

    static boolean index(FileSet set) {
        return set.options().flag(INDEX, true);
    }
}
