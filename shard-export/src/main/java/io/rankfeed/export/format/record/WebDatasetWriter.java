package io.rankfeed.export.format.record;

import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the entries of each row; a row is never in two files. */
final class WebDatasetWriter implements FormatWriter {
    /** Two empty blocks. */
    private static final int END_BYTES = TarHeader.ZEROS.length;

    private final FileSet set;
    private final List<TarEntry> entries;
    private final long[] lengths;
    private final Part part;
    private final PartFiles files;
    private final List<FormatFile> written = new ArrayList<>();
    private @Nullable CountedFile file;
    private long rows;

    WebDatasetWriter(FileSet set, List<TarEntry> entries, Part part, PartFiles files) {
        this.set = set;
        this.entries = entries;
        this.lengths = new long[entries.size()];
        this.part = part;
        this.files = files;
    }

    @Override
    public void row(FormatRow row) throws IOException {
        long length = 0;
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = entries.get(i).prepare(row);
            length += lengths[i];
        }
        CountedFile out = file(length);
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] > 0) {
                entries.get(i).write(row, out);
            }
        }
        rows++;
    }

    @Override
    public PartSummary finish() throws IOException {
        if (written.isEmpty()) {
            // Without rows, so that the folder of the split exists.
            file(0);
        }
        endFile();
        return PartSummary.of(part.index(), written);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    private CountedFile file(long length) throws IOException {
        long limit = set.options().shardBytes();
        if (file != null && limit > 0 && file.position() + length + END_BYTES > limit) {
            endFile();
        }
        if (file == null) {
            file = new CountedFile(files, set.shardPath("", part.index(), written.size(), ".tar"));
        }
        return file;
    }

    private void endFile() throws IOException {
        if (file != null) {
            file.write(TarHeader.ZEROS, 0, END_BYTES);
            written.add(file.publish(rows));
            file.close();
            file = null;
            rows = 0;
        }
    }
}
