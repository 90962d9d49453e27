package io.rankfeed.export.format.record;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import java.util.Set;

/**
 * Tar files in which the entries of a row are adjacent: {@code <row id>.<extension>}. All numbers of a row are in one
 * entry, {@code json}, because each entry takes at least 1 KiB.
 */
public final class WebDataset implements Format {
    /** The option with the extensions of columns, as in {@code image=jpg,caption=txt}. */
    static final String EXTENSIONS = "extensions";

    @Override
    public String name() {
        return "webdataset";
    }

    @Override
    public Set<String> options() {
        return Set.of(EXTENSIONS);
    }

    @Override
    public boolean onePart() {
        return false;
    }

    @Override
    public void check(FileSet set) {
        TarEntry.of(set);
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) {
        return new WebDatasetWriter(set, TarEntry.of(set), part, files);
    }
}
