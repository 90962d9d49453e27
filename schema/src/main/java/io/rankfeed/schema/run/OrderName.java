package io.rankfeed.schema.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A plan over a version by its name, its id or its path. Next to the folder {@code versions} of a dataset, {@code orders/ID/order.json} is
 * the plan, and {@code orders/NAME.json} names one (docs/format/order-2.md, section 8).
 */
public final class OrderName {
    /** The folder of a dataset that has the plans over its versions. */
    public static final String FOLDER = "orders";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,30}");
    private static final String SUFFIX = ".json";
    private static final long MAX_NAME_BYTES = 1 << 10;

    private OrderName() {}

    /** @throws ConfigException if a plan cannot have this name */
    public static String require(String name) {
        if (!NAME.matcher(name).matches() || ID.matcher(name).matches()) {
            throw new ConfigException("--name " + name + ": a name has the form " + NAME.pattern()
                    + ", and is not an id of 16 hexadecimal digits");
        }
        return name;
    }

    /** The file below the folder of plans that names one. */
    public static String file(String name) {
        return name + SUFFIX;
    }

    /** The contents of the file that names a plan. */
    public static byte[] toBytes(String id) {
        return CanonicalJson.indented(JsonNodeFactory.instance.objectNode().put("order", id));
    }

    /** The id in a file that names a plan. @throws CorruptDataException if it has none */
    public static String parse(byte[] bytes, String file) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file), file);
        object.only("order");
        String id = object.text("order");
        if (!ID.matcher(id).matches()) {
            throw object.damage("order", "must be an id of 16 hexadecimal digits");
        }
        return id;
    }

    /** The folder of the plans over the versions of a dataset, by the folder of one of these. */
    public static String folder(String version) {
        return Store.folder(Store.folder(version)) + "/" + FOLDER;
    }

    /**
     * Reads a plan over a version.
     *
     * @param words a name or an id, of a plan next to the version; or the path of a plan's folder, or of its file
     * @param version the version's folder, absolute, or its address
     * @throws ConfigException if no plan is there
     * @throws CorruptDataException if it is damaged
     */
    public static Order read(String words, String version, Store.Finder stores) {
        if (!ID.matcher(words).matches() && !NAME.matcher(words).matches()) {
            return at(words, stores.of(words));
        }
        Store store = stores.of(version);
        return named(words, folder(version), store);
    }

    /**
     * Reads a plan over a version.
     *
     * @param path of the plan's folder, or of its file
     * @throws ConfigException if nothing is there
     * @throws CorruptDataException if it is damaged
     */
    public static Order at(String path, Store store) {
        if (path.isBlank()) {
            throw new ConfigException("--plan: is empty; give the name, the id or the path of a plan");
        }
        String trimmed = path.replaceFirst("(?<=[^/])/+$", "");
        StoredFile found = store.find(trimmed)
                .orElseThrow(() -> new ConfigException(
                        "--plan " + path + ": no such file or folder; give the name, the id or the path of a plan"));
        if (found.isFolder()) {
            String file = trimmed + "/" + Order.FILE_NAME;
            if (store.find(file).isEmpty()) {
                throw new ConfigException("--plan " + path + ": this folder has no " + Order.FILE_NAME
                        + "; give the folder of a plan, as in " + FOLDER + "/0123456789abcdef");
            }
            return parsed(file, store);
        } else if (found.bytes() <= MAX_NAME_BYTES && !Store.name(trimmed).equals(Order.FILE_NAME)) {
            return named(Store.name(trimmed).replaceFirst("\\.json$", ""), Store.folder(found.path()), store);
        }
        return parsed(trimmed, store);
    }

    private static Order parsed(String file, Store store) {
        return OrderId.parse(store.read(file, JsonLimits.SERVED.maxBytes()), file);
    }

    private static Order named(String words, String folder, Store store) {
        String name = folder + "/" + file(words);
        String id = words;
        if (store.find(name).isPresent()) {
            id = parse(store.read(name, MAX_NAME_BYTES), name);
        }
        String file = folder + "/" + id + "/" + Order.FILE_NAME;
        if (store.find(file).isEmpty() && !id.equals(words)) {
            throw new ConfigException("--plan " + words + ": " + name + " names the plan " + id
                    + ", which was deleted; plan again, or delete that file");
        } else if (store.find(file).isEmpty()) {
            throw new ConfigException("--plan " + words + ": no plan of that name or id is in " + folder
                    + Suggestion.hint(words, known(folder, store)) + "; rankfeed plan makes one");
        }
        Order order = parsed(file, store);
        if (!order.plan().equals(id)) {
            throw new CorruptDataException(file, "is the plan " + order.plan() + ", and its folder says " + id);
        }
        return order;
    }

    private static List<String> known(String folder, Store store) {
        return store.entries(folder).stream()
                .map(entry -> entry.isFolder() ? entry.name() : entry.name().replaceFirst("\\.json$", ""))
                .toList();
    }
}
