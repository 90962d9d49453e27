package io.rankfeed.spark.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/** A job file read: from bytes and flags to the record, and back to what may be shown. */
public final class JobFile {
    private JobFile() {}

    /**
     * @param file what to call it in messages
     * @param assignments the values of {@code --set}, each {@code a.b.c=value}, later ones over earlier ones
     * @throws ConfigException naming line, key and the nearest right word
     */
    public static Job read(String file, byte[] utf8, List<String> assignments) {
        ConfigDocument document = ConfigDocument.parse(file, utf8);
        for (String assignment : assignments) {
            document = document.with("--set", assignment);
        }
        return document.bind(Job.class);
    }

    /** The resolved job without its secrets. */
    public static JsonNode shown(Job job) {
        return Redaction.json(ConfigJson.toJson(job));
    }
}
