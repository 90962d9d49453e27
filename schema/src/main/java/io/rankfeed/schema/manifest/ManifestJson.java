package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.json.StrictJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A manifest as the bytes of its file: equal manifests are equal bytes, and what breaks a rule is not read. */
public final class ManifestJson {
    private ManifestJson() {}

    public static byte[] toBytes(Manifest manifest) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("format", manifest.format().id())
                .put("formatVersion", manifest.formatVersion())
                .put("id", manifest.id())
                .put("dataset", manifest.dataset())
                .put("rows", manifest.rows());
        object.set("job", manifest.job());
        object.set("inputs", InputJson.toJson(manifest.inputs()));
        ArrayNode files = object.putArray("files");
        manifest.files().forEach(file -> write(file, files.addObject()));
        if (manifest instanceof Manifest.Table table) {
            object.set("schema", SchemaJson.toJson(table.schema()));
            ArrayNode sources = object.putArray("sources");
            table.sources().forEach(sources::add);
            if (!table.statistics().isEmpty()) {
                ObjectNode statistics = object.putObject("statistics");
                table.statistics().forEach((name, column) -> column.write(statistics.putObject(name)));
            }
        }
        if (manifest instanceof Manifest.Prepared prepared) {
            write(prepared, object);
        } else if (manifest instanceof Manifest.Plan plan) {
            write(plan, object);
        } else if (manifest instanceof Manifest.Version version) {
            write(version, object);
        } else if (manifest instanceof Manifest.Formatted formatted) {
            object.set("schema", SchemaJson.toJson(formatted.schema()));
        }
        return ManifestDigest.toBytes(object);
    }

    private static void write(ArtifactFile file, ObjectNode entry) {
        entry.put("path", file.path().value()).put("bytes", file.bytes()).put("sha256", file.sha256());
        file.rows().ifPresent(rows -> entry.put("rows", rows));
        file.footer()
                .ifPresent(footer ->
                        entry.putObject("footer").put("bytes", footer.bytes()).put("sha256", footer.sha256()));
    }

    private static void write(Manifest.Prepared manifest, ObjectNode object) {
        if (!manifest.badRows().isEmpty()) {
            ObjectNode badRows = object.putObject("badRows");
            manifest.badRows().forEach(badRows::put);
        }
    }

    private static void write(Manifest.Plan manifest, ObjectNode object) {
        if (!manifest.decisions().isEmpty()) {
            object.set("decisions", DecisionsJson.toJson(manifest.decisions()));
        }
    }

    private static void write(Manifest.Version manifest, ObjectNode object) {
        ObjectNode columns = object.putObject("columns");
        manifest.maxLengths().forEach((name, length) -> columns.putObject(name).put("maxLength", length));
        manifest.maxItems().forEach((name, items) -> columns.withObject(name).put("maxItems", items));
        if (!manifest.origin().equals(Origin.NONE)) {
            ObjectNode origin = object.putObject("origin");
            ArrayNode key = origin.putArray("key");
            manifest.origin().key().forEach(key::add);
            ObjectNode tables = origin.putObject("tables");
            manifest.origin().tables().forEach(tables::put);
        }
        manifest.external().ifPresent(external -> external.write(object.putObject("external")));
    }

    /** The manifest of the artifact in this folder. @throws CorruptDataException if there is none, or it breaks a rule */
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
     * The manifest as one kind of artifact.
     *
     * @param file what to call it in messages
     * @throws CorruptDataException if it is of another kind
     */
    public static <M extends Manifest> M require(Manifest manifest, Class<M> kind, String file) {
        if (!kind.isInstance(manifest)) {
            throw new CorruptDataException(
                    file,
                    "is the manifest of a " + manifest.format().id() + ", not of a "
                            + kind.getSimpleName().toLowerCase(Locale.ROOT));
        }
        return kind.cast(manifest);
    }

    /**
     * Parses the manifest of a plan or a version.
     *
     * @param file what to call these bytes in messages
     */
    public static Manifest parse(byte[] bytes, String file) {
        return parse(bytes, file, JsonLimits.SERVED);
    }

    /** Parses the manifest of any artifact, within other limits. */
    public static Manifest parse(byte[] bytes, String file, JsonLimits limits) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file, limits), file);
        ArtifactFormat format = ArtifactFormat.fromId(object.text("format"))
                .orElseThrow(() -> object.damage("format", "must be one of " + ArtifactFormat.ids()));
        // Before anything else: the members of another version are not ours to judge.
        long formatVersion = object.integer(
                "formatVersion",
                Manifest.FORMAT_VERSION,
                format == ArtifactFormat.VERSION ? Manifest.EXTERNAL_FORMAT_VERSION : Manifest.FORMAT_VERSION);
        ManifestDigest.require(bytes, file);
        object.only(members(format));
        try {
            Manifest manifest = manifest(object, format);
            if (manifest.formatVersion() != formatVersion) {
                throw object.damage(
                        "formatVersion",
                        "is " + formatVersion + ", but its inputs make it " + manifest.formatVersion());
            }
            if (!manifest.id().equals(object.text("id"))) {
                throw object.damage("id", "is " + object.text("id") + ", but job and inputs make it " + manifest.id());
            }
            return manifest;
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static String[] members(ArtifactFormat format) {
        List<String> members = new ArrayList<>(List.of(
                "format", "formatVersion", ManifestDigest.MEMBER, "id", "dataset", "job", "inputs", "rows", "files"));
        members.addAll(
                switch (format) {
                    case PREPARED -> List.of("schema", "sources", "statistics", "badRows");
                    case PLAN -> List.of("decisions");
                    case VERSION -> List.of("schema", "sources", "statistics", "columns", "origin", "external");
                    case FORMATTED -> List.of("schema");
                });
        return members.toArray(String[]::new);
    }

    private static Manifest manifest(JsonObject object, ArtifactFormat format) {
        object.object("job");
        Contents contents = new Contents(
                object.text("dataset"),
                (ObjectNode) object.node("job"),
                object.objects("inputs").stream().map(InputJson::fromJson).toList(),
                object.integer("rows", 0, Long.MAX_VALUE),
                files(object));
        return switch (format) {
            case PREPARED ->
                new Manifest.Prepared(
                        contents, schema(object), object.texts("sources"), badRows(object), statistics(object));
            case PLAN ->
                new Manifest.Plan(
                        contents,
                        object.has("decisions") ? DecisionsJson.fromJson(object.object("decisions")) : Map.of());
            case VERSION ->
                new Manifest.Version(
                        contents,
                        schema(object),
                        object.texts("sources"),
                        limits(object.object("columns"), "maxLength"),
                        limits(object.object("columns"), "maxItems"),
                        statistics(object),
                        object.has("origin") ? origin(object.object("origin")) : Origin.NONE,
                        object.has("external")
                                ? Optional.of(External.read(object.object("external")))
                                : Optional.empty());
            case FORMATTED -> new Manifest.Formatted(contents, schema(object));
        };
    }

    private static SampleSchema schema(JsonObject object) {
        return SchemaJson.fromJson(object.object("schema"));
    }

    private static Map<String, Long> limits(JsonObject columns, String limit) {
        Map<String, Long> limits = new HashMap<>();
        for (String name : columns.names()) {
            JsonObject column = columns.object(name).only("maxLength", "maxItems");
            if (column.has(limit)) {
                limits.put(name, column.integer(limit, 0, Long.MAX_VALUE));
            }
        }
        return limits;
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

    private static List<ArtifactFile> files(JsonObject object) {
        List<ArtifactFile> files = new ArrayList<>();
        for (JsonObject entry : object.objects("files")) {
            entry.only("path", "bytes", "sha256", "rows", "footer");
            ArtifactFile file = new ArtifactFile(
                    ArtifactPath.parse(entry.text("path"), entry.file()),
                    entry.integer("bytes", 0, Long.MAX_VALUE),
                    sha256(entry),
                    entry.has("rows")
                            ? OptionalLong.of(entry.integer("rows", 0, Long.MAX_VALUE))
                            : OptionalLong.empty(),
                    entry.has("footer") ? Optional.of(footer(entry.object("footer"))) : Optional.empty());
            if (!files.isEmpty() && files.get(files.size() - 1).path().compareTo(file.path()) >= 0) {
                throw entry.damage("path", "'" + file.path() + "' is not sorted, or a duplicate");
            }
            files.add(file);
        }
        return files;
    }

    private static Footer footer(JsonObject object) {
        object.only("bytes", "sha256");
        return new Footer(object.intBetween("bytes", 1, Integer.MAX_VALUE), sha256(object));
    }

    static String sha256(JsonObject object) {
        String digest = object.text("sha256");
        if (!ArtifactFile.SHA256.matcher(digest).matches()) {
            throw object.damage("sha256", "must be 64 lower-case hexadecimal digits");
        }
        return digest;
    }
}
