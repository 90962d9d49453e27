package io.rankfeed.schema.manifest;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The kinds of immutable artifacts of a dataset, in the order in which they are made. */
public enum ArtifactFormat {
    PREPARED("rankfeed.prepared", "prepared"),
    PLAN("rankfeed.plan", "plans"),
    VERSION("rankfeed.version", "versions"),
    /** The rows of a version in the files of another format. */
    FORMATTED("rankfeed.formatted", "formats");

    private final String id;
    private final String folder;

    ArtifactFormat(String id, String folder) {
        this.id = id;
        this.folder = folder;
    }

    /** The manifest's {@code format}. */
    public String id() {
        return id;
    }

    /** The folder below the dataset that holds artifacts of this format, one folder per id. */
    public String folder() {
        return folder;
    }

    public static Optional<ArtifactFormat> fromId(String id) {
        return Arrays.stream(values()).filter(format -> format.id.equals(id)).findFirst();
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(ArtifactFormat::id).toList();
    }
}
