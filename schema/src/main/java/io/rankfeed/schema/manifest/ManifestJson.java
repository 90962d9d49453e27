package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.json.StrictJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A manifest as the bytes of its file: equal manifests are equal bytes, and what breaks a rule is not read. */
public final class ManifestJson {
    private ManifestJson() {}

    public static byte[] toBytes(Manifest manifest) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("format", manifest.format().id())
                .put("formatVersion", Manifest.FORMAT_VERSION)
                .put("id", manifest.id())
                .put("dataset", manifest.dataset())
                .put("rows", manifest.rows());
        object.set("job", manifest.job());
        object.set("inputs", InputJson.toJson(manifest.inputs()));
        manifest.schema().ifPresent(schema -> object.set("schema", SchemaJson.toJson(schema)));
        ArrayNode sources = object.putArray("sources");
        manifest.sources().forEach(sources::add);
        ArrayNode files = object.putArray("files");
        manifest.files().forEach(file -> {
            ObjectNode entry = files.addObject()
                    .put("path", file.path().value())
                    .put("bytes", file.bytes())
                    .put("sha256", file.sha256());
            file.rows().ifPresent(rows -> entry.put("rows", rows));
        });
        if (manifest.format() == ArtefactFormat.VERSION) {
            ObjectNode columns = object.putObject("columns");
            manifest.maxLengths()
                    .forEach((name, length) -> columns.putObject(name).put("maxLength", length));
        }
        if (!manifest.badRows().isEmpty()) {
            ObjectNode badRows = object.putObject("badRows");
            manifest.badRows().forEach(badRows::put);
        }
        if (!manifest.statistics().isEmpty()) {
            ObjectNode statistics = object.putObject("statistics");
            manifest.statistics().forEach((name, column) -> column.write(statistics.putObject(name)));
        }
        if (!manifest.origin().equals(Origin.NONE)) {
            ObjectNode origin = object.putObject("origin");
            ArrayNode key = origin.putArray("key");
            manifest.origin().key().forEach(key::add);
            ObjectNode tables = origin.putObject("tables");
            manifest.origin().tables().forEach(tables::put);
        }
        if (!manifest.decisions().isEmpty()) {
            object.set("decisions", DecisionsJson.toJson(manifest.decisions()));
        }
        return CanonicalJson.indented(object);
    }

    /** The manifest of the artefact in this folder. @throws CorruptDataException if there is none, or it breaks a rule */
    public static Manifest read(Path folder) {
        Path file = folder.resolve(Manifest.FILE_NAME);
        Path parent = folder.toAbsolutePath().normalize().getParent();
        JsonLimits limits = JsonLimits.ofManifestBelow(
                parent == null || parent.getFileName() == null
                        ? ""
                        : parent.getFileName().toString());
        return parse(StrictJson.readCapped(file, limits.maxBytes()), file.toString(), limits);
    }

    /**
     * Of a plan or a version.
     *
     * @param file what to call these bytes in messages
     */
    public static Manifest parse(byte[] bytes, String file) {
        return parse(bytes, file, JsonLimits.SERVED);
    }

    /** The same of any artifact. */
    public static Manifest parse(byte[] bytes, String file, JsonLimits limits) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file, limits), file);
        ArtefactFormat format = ArtefactFormat.fromId(object.text("format"))
                .orElseThrow(() -> object.damage("format", "must be one of " + ArtefactFormat.ids()));
        // Before anything else: the members of another version are not ours to judge.
        object.integer("formatVersion", Manifest.FORMAT_VERSION, Manifest.FORMAT_VERSION);
        object.only(members(format));
        try {
            Manifest manifest = manifest(object, format);
            if (!manifest.id().equals(object.text("id"))) {
                throw object.damage("id", "is " + object.text("id") + ", but job and inputs make it " + manifest.id());
            }
            return manifest;
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static String[] members(ArtefactFormat format) {
        List<String> members = new ArrayList<>(
                List.of("format", "formatVersion", "id", "dataset", "job", "inputs", "sources", "rows", "files"));
        if (format != ArtefactFormat.PLAN) {
            members.add("schema");
            members.add("statistics");
        } else {
            members.add("decisions");
        }
        if (format == ArtefactFormat.VERSION) {
            members.add("columns");
            members.add("origin");
        }
        if (format == ArtefactFormat.PREPARED) {
            members.add("badRows");
        }
        return members.toArray(String[]::new);
    }

    private static Manifest manifest(JsonObject object, ArtefactFormat format) {
        object.object("job");
        Optional<SampleSchema> schema = format == ArtefactFormat.PLAN
                ? Optional.empty()
                : Optional.of(SchemaJson.fromJson(object.object("schema")));
        Map<String, Long> maxLengths = new HashMap<>();
        if (format == ArtefactFormat.VERSION) {
            JsonObject columns = object.object("columns");
            for (String name : columns.names()) {
                maxLengths.put(name, columns.object(name).only("maxLength").integer("maxLength", 0, Long.MAX_VALUE));
            }
        }
        return new Manifest(
                        format,
                        object.text("dataset"),
                        (ObjectNode) object.node("job"),
                        object.objects("inputs").stream()
                                .map(InputJson::fromJson)
                                .toList(),
                        schema,
                        object.texts("sources"),
                        object.integer("rows", 0, Long.MAX_VALUE),
                        files(object),
                        maxLengths)
                .withBadRows(badRows(object))
                .withStatistics(statistics(object))
                .withOrigin(object.has("origin") ? origin(object.object("origin")) : Origin.NONE)
                .withDecisions(object.has("decisions") ? DecisionsJson.fromJson(object.object("decisions")) : Map.of());
    }

    private static Origin origin(JsonObject object) {
        object.only("key", "tables");
        Map<String, Long> tables = new HashMap<>();
        JsonObject versions = object.object("tables");
        versions.names().forEach(name -> tables.put(name, versions.integer(name, 0, Long.MAX_VALUE)));
        return new Origin(object.texts("key"), tables);
    }

    private static Map<String, ColumnStatistics> statistics(JsonObject object) {
        Map<String, ColumnStatistics> statistics = new HashMap<>();
        if (object.has("statistics")) {
            JsonObject columns = object.object("statistics");
            columns.names().forEach(name -> statistics.put(name, ColumnStatistics.read(columns.object(name))));
        }
        return statistics;
    }

    private static Map<String, Long> badRows(JsonObject object) {
        Map<String, Long> rows = new HashMap<>();
        if (object.has("badRows")) {
            JsonObject counts = object.object("badRows");
            counts.names().forEach(reason -> rows.put(reason, counts.integer(reason, 1, Long.MAX_VALUE)));
        }
        return rows;
    }

    private static List<ArtefactFile> files(JsonObject object) {
        List<ArtefactFile> files = new ArrayList<>();
        for (JsonObject entry : object.objects("files")) {
            entry.only("path", "bytes", "sha256", "rows");
            ArtefactFile file = new ArtefactFile(
                    ArtefactPath.parse(entry.text("path"), entry.file()),
                    entry.integer("bytes", 0, Long.MAX_VALUE),
                    sha256(entry),
                    entry.has("rows")
                            ? OptionalLong.of(entry.integer("rows", 0, Long.MAX_VALUE))
                            : OptionalLong.empty());
            if (!files.isEmpty() && files.get(files.size() - 1).path().compareTo(file.path()) >= 0) {
                throw entry.damage("path", "'" + file.path() + "' is not sorted, or stands twice");
            }
            files.add(file);
        }
        return files;
    }

    static String sha256(JsonObject object) {
        String digest = object.text("sha256");
        if (!ArtefactFile.SHA256.matcher(digest).matches()) {
            throw object.damage("sha256", "must be 64 lower-case hexadecimal digits");
        }
        return digest;
    }
}
