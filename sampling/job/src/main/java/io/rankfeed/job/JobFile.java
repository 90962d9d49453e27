package io.rankfeed.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.ConfigException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A job file read: from bytes and flags to the record, and back to what may be shown. */
public final class JobFile {
    private JobFile() {}

    /**
     * @param file what to call it in messages
     * @param assignments the values of {@code --set}, each {@code a.b.c=value}, later ones over earlier ones
     * @throws ConfigException naming line, key and the nearest right word
     */
    public static Job read(String file, byte[] utf8, List<String> assignments) {
        return document(file, utf8, assignments).bind(Job.class);
    }

    /** The root and the dataset, as the job file has them. */
    public record DatasetName(String root, String dataset) {}

    /**
     * Root and dataset of a job that need not be valid otherwise; empty if it does not name both.
     *
     * @throws ConfigException if the file is not YAML
     */
    public static Optional<DatasetName> datasetName(String file, byte[] utf8, List<String> assignments) {
        ConfigDocument document = document(file, utf8, assignments);
        return document.text("root")
                .flatMap(root -> document.text("dataset").map(dataset -> new DatasetName(root, dataset)));
    }

    /** Whether a document has a key that only job files have at the top level. */
    public static boolean isOne(ConfigDocument document) {
        return Arrays.stream(Job.class.getRecordComponents())
                .map(RecordComponent::getName)
                .anyMatch(document::has);
    }

    private static ConfigDocument document(String file, byte[] utf8, List<String> assignments) {
        ConfigDocument document = ConfigDocument.parse(file, utf8);
        for (String assignment : assignments) {
            document = document.with("--set", assignment);
        }
        return document;
    }

    /** The resolved job without its secrets. */
    public static JsonNode shown(Job job) {
        return Redaction.json(ConfigJson.toJson(job));
    }
}
