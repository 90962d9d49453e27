package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import java.io.IOException;
import java.util.List;

/** u64 count; for each image u64 offset in the file, u64 length; then the images without gaps. Little-endian. */
final class ImageMmapWriter implements FormatWriter {
    private final Part part;
    private final int image;
    private final CountedFile file;
    /** Where the last image ends. */
    private final long end;

    private long rows;

    /** Writes count and index. */
    ImageMmapWriter(FileSet set, Part part, int image, PartFiles files) throws IOException {
        this.part = part;
        this.image = image;
        file = new CountedFile(files, set.split() + ".mmap");
        long first = Long.BYTES * (1 + 2 * set.rows());
        ByteBuilder entry = new ByteBuilder().putLong(set.rows());
        file.write(entry);
        long at = first;
        for (byte[] lengths : part.surveys()) {
            for (int i = 0; i < lengths.length; i += Integer.BYTES) {
                entry.clear();
                int length = ByteBuilder.getInt(lengths, i);
                file.write(entry.putLong(at).putLong(length));
                at += length;
            }
        }
        if (file.position() != first) {
            throw new IllegalStateException(
                    "a survey of " + part.surveys().size() + " parts is not one of " + set.rows() + " rows");
        }
        end = at;
    }

    @Override
    public void row(FormatRow row) throws IOException {
        file.write(row.array(image), row.offset(image), row.lengthBytes(image));
        rows++;
    }

    @Override
    public PartSummary finish() throws IOException {
        if (rows != part.rows() || file.position() != end) {
            throw new IllegalStateException("the survey has other images than the " + rows + " rows written");
        }
        return PartSummary.of(part.index(), List.of(file.publish(rows)));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
