package io.rankfeed.spark.prepare;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.schema.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.spark.sql.types.StructType;

/**
 * Writes what makes the data folder a Delta table: the one commit of a log that knows the files as they were cut. Its
 * bytes follow from the artifact's id and files, so times are left out, or 0 where Delta demands one.
 */
final class DeltaLogFile {
    private static final String FOLDER = "data/";
    private static final String COMMIT = FOLDER + "_delta_log/00000000000000000000.json";

    private DeltaLogFile() {}

    /**
     * @param id of the prepared table
     * @param files of the table
     */
    static WrittenFile write(ArtifactAttempt folder, String id, StructType schema, List<WrittenFile> files) {
        List<String> lines = new ArrayList<>();
        lines.add(line("protocol", object().put("minReaderVersion", 1).put("minWriterVersion", 2)));
        lines.add(line("metaData", metaData(id, schema)));
        files.forEach(file -> lines.add(line("add", added(file))));
        return folder.write(COMMIT, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode metaData(String id, StructType schema) {
        ObjectNode metaData = object();
        metaData.put(
                "id",
                UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString());
        metaData.putObject("format").put("provider", "parquet").putObject("options");
        metaData.put("schemaString", schema.json()).putArray("partitionColumns");
        // The manifest lists these files; whoever wants others makes a table of his own.
        metaData.putObject("configuration").put("delta.appendOnly", "true").put(Registration.OWNER, id);
        return metaData;
    }

    private static ObjectNode added(WrittenFile file) {
        ObjectNode added = object();
        added.put("path", file.path().substring(FOLDER.length())).putObject("partitionValues");
        return added.put("size", file.lengthBytes())
                .put("modificationTime", 0)
                .put("dataChange", true)
                .put("stats", String.format(Locale.ROOT, "{\"numRecords\":%d}", file.rows()));
    }

    private static String line(String action, ObjectNode content) {
        return CanonicalJson.compactText(object().set(action, content));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
