package io.rankfeed.spark.format;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.format.PartFile;
import io.rankfeed.export.format.PartFiles;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Files of an artifact, as formats create them. Used by one thread. */
final class StagedFiles implements PartFiles {
    private final ArtifactAttempt folder;
    private final String root;
    private final List<WrittenFile> written = new ArrayList<>();

    /** @param root path of the folder that paths are relative to, by {@link Sets#root} */
    StagedFiles(ArtifactAttempt folder, String root) {
        this.folder = folder;
        this.root = root;
    }

    /** The files that were published. */
    List<WrittenFile> written() {
        return written;
    }

    @Override
    public PartFile create(String path) {
        StagedFile staged = folder.stage(root + path);
        return new PartFile() {
            @Override
            public OutputStream stream() {
                return staged.stream();
            }

            @Override
            public void publish(long rows) {
                written.add(staged.publish(rows));
            }

            @Override
            public void close() {
                staged.close();
            }
        };
    }
}
