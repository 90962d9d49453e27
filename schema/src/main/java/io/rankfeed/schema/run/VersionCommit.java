package io.rankfeed.schema.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commit of a version by a run: {@code <root>/<dataset>/commits/NNNNNNNNNN.json} (docs/format/manifest.md, section 7). Numbers define
 * the order of commits; no clock is read.
 *
 * @param run the run's id
 * @param version 16 hexadecimal digits
 * @param order the run's own order over the version; empty where the version has an order of its own
 * @param plan by which the run exported; empty as {@code order}
 */
public record VersionCommit(String run, String version, Optional<String> order, Optional<String> plan) {
    /** The name of the folder, in the dataset's folder. */
    public static final String FOLDER = "commits";

    private static final Pattern NAME = Pattern.compile("([0-9]{10})\\.json");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    public static String fileName(long number) {
        return String.format(Locale.ROOT, "%010d.json", number);
    }

    /** The number in a file's name; empty if the file is not a commit. */
    public static OptionalLong number(String fileName) {
        Matcher name = NAME.matcher(fileName);
        return name.matches() ? OptionalLong.of(Long.parseLong(name.group(1))) : OptionalLong.empty();
    }

    public byte[] toBytes() {
        ObjectNode commit =
                JsonNodeFactory.instance.objectNode().put("run", run).put("version", version);
        order.ifPresent(id -> commit.put("order", id));
        plan.ifPresent(id -> commit.put("plan", id));
        return CanonicalJson.indented(commit);
    }

    /** @throws CorruptDataException if the file is incomplete, as after a crash of its writer */
    public static VersionCommit parse(byte[] bytes, String file) {
        JsonObject object =
                JsonObject.root(StrictJson.parse(bytes, file), file).only("run", "version", "order", "plan");
        return new VersionCommit(
                object.text("run"), versionId(object), optionalId(object, "order"), optionalId(object, "plan"));
    }

    static String versionId(JsonObject object) {
        return id(object, "version");
    }

    static Optional<String> optionalId(JsonObject object, String name) {
        return object.has(name) ? Optional.of(id(object, name)) : Optional.empty();
    }

    private static String id(JsonObject object, String name) {
        String id = object.text(name);
        if (!ID.matcher(id).matches()) {
            throw object.damage(name, "is not an id: " + id);
        }
        return id;
    }
}
