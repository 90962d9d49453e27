package io.rankfeed.spark.format;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.MetadataJson;
import io.rankfeed.export.format.PartFile;
import io.rankfeed.export.format.PartFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code <split>_metadata.json}, a list of all rows of a set: each part's rows are written to a scratch file, and joined in the order
 * of the parts.
 */
final class MetadataParts {
    private static final byte[] BEGIN = "[\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] BETWEEN = ",\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] END = "\n]\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] EMPTY = "[]\n".getBytes(StandardCharsets.UTF_8);

    /** The list of a part's rows. */
    record Scratch(String name, long rows, long lengthBytes) implements Serializable {}

    private MetadataParts() {}

    /** The scratch file of one part. */
    static final class Files implements PartFiles {
        private final ArtifactAttempt folder;
        private String name = "";

        Files(ArtifactAttempt folder) {
            this.folder = folder;
        }

        Scratch written(long rows, long lengthBytes) {
            return new Scratch(name, rows, lengthBytes);
        }

        @Override
        public PartFile create(String path) throws IOException {
            ArtifactAttempt.Scratch scratch = folder.scratch("metadata");
            name = scratch.name();
            return new PartFile() {
                @Override
                public OutputStream stream() {
                    return scratch.stream();
                }

                @Override
                public void publish(long rows) throws IOException {
                    scratch.stream().close();
                }

                @Override
                public void close() throws IOException {
                    scratch.stream().close();
                }
            };
        }
    }

    /**
     * Joins the lists of all parts.
     *
     * @param root by {@link Sets#root}
     */
    static WrittenFile join(FileSet set, String root, List<Scratch> parts, ArtifactAttempt folder) throws IOException {
        try (StagedFile staged = folder.stage(root + MetadataJson.path(set))) {
            OutputStream out = staged.stream();
            long rows = 0;
            for (Scratch part : parts) {
                if (part.rows() > 0) {
                    out.write(rows == 0 ? BEGIN : BETWEEN);
                    try (InputStream in = folder.openScratch(part.name())) {
                        in.skipNBytes(BEGIN.length);
                        copy(in, part.lengthBytes() - BEGIN.length - END.length, out);
                    }
                    rows += part.rows();
                }
            }
            out.write(rows == 0 ? EMPTY : END);
            return staged.publish(-1);
        }
    }

    private static void copy(InputStream in, long count, OutputStream out) throws IOException {
        byte[] chunk = new byte[1 << 16];
        long left = count;
        while (left > 0) {
            int part = (int) Math.min(chunk.length, left);
            if (in.readNBytes(chunk, 0, part) < part) {
                throw new IOException("a scratch file ended early");
            }
            out.write(chunk, 0, part);
            left -= part;
        }
    }
}
