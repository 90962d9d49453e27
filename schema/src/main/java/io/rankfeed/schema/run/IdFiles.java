package io.rankfeed.schema.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Files that are found by their id, by a name or by their path: {@code FOLDER/ID/FILE}, and {@code FOLDER/NAME.json} with an id
 * (docs/format/plan.md, section 10.1).
 *
 * @param <T> the content of a file
 */
public final class IdFiles<T> {
    static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    static final String SUFFIX = ".json";
    static final long MAX_NAME_BYTES = 1 << 10;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    /** Reads a file from its bytes. */
    interface Parser<T> {
        /** @throws CorruptDataException if it is damaged */
        T parse(byte[] bytes, String file);
    }

    private final String folder;
    private final String fileName;
    private final String member;
    private final String kind;
    private final String flag;
    private final Parser<T> parser;
    private final Function<T, String> id;

    /**
     * @param folder the name of the folder
     * @param member the JSON member that has the id, in the file of a name
     * @param kind what a file is, in messages
     * @param flag what precedes the user's words in messages
     * @param id returns the id of a content
     */
    IdFiles(
            String folder,
            String fileName,
            String member,
            String kind,
            String flag,
            Parser<T> parser,
            Function<T, String> id) {
        this.folder = folder;
        this.fileName = fileName;
        this.member = member;
        this.kind = kind;
        this.flag = flag;
        this.parser = parser;
        this.id = id;
    }

    /** @throws ConfigException if a file cannot have this name */
    public static String require(String name) {
        if (!NAME.matcher(name).matches() || ID.matcher(name).matches()) {
            throw new ConfigException("--name " + name + ": a name has the form " + NAME.pattern()
                    + ", and is not an id of 16 hexadecimal digits");
        }
        return name;
    }

    /** Whether words are a name or an id; others are a path. */
    static boolean isNameOrId(String words) {
        return ID.matcher(words).matches() || NAME.matcher(words).matches();
    }

    /** The path of a folder without the slashes at its end. */
    static String withoutSlashes(String path) {
        return path.replaceFirst("(?<=[^/])/+$", "");
    }

    /** The name whose file this is. */
    static String withoutSuffix(String file) {
        return file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : file;
    }

    /** The name of the folder. */
    public String folder() {
        return folder;
    }

    /** The name of each file. */
    public String fileName() {
        return fileName;
    }

    /** What a file is, in messages. */
    public String kind() {
        return kind;
    }

    /** The file in the folder that has the id of a name. */
    public static String file(String name) {
        return name + SUFFIX;
    }

    /** The contents of the file of a name. */
    public byte[] toBytes(String ofId) {
        return CanonicalJson.indented(JsonNodeFactory.instance.objectNode().put(member, ofId));
    }

    /** The id in the file of a name. @throws CorruptDataException if it has none */
    public String idIn(byte[] bytes, String file) {
        JsonObject object = JsonObject.root(StrictJson.parse(bytes, file), file);
        object.only(member);
        String found = object.text(member);
        if (!ID.matcher(found).matches()) {
            throw object.damage(member, "must be an id of 16 hexadecimal digits");
        }
        return found;
    }

    /**
     * Reads a file by its path.
     *
     * @param path of the file, of its folder, or of the file of a name, with or without {@code .json}
     * @throws ConfigException if nothing is there
     * @throws CorruptDataException if it is damaged
     */
    T at(String path, Store store) {
        if (path.isBlank()) {
            throw new ConfigException(flag + "is empty; give the name, the id or the path of a " + kind);
        }
        String trimmed = withoutSlashes(path);
        StoredFile found = store.find(trimmed)
                .or(() -> store.find(file(trimmed)))
                .orElseThrow(() -> new ConfigException(
                        flag + path + ": no such file or folder; give the name, the id or the path of a " + kind));
        if (found.isFolder()) {
            String file = found.path() + "/" + fileName;
            if (store.find(file).isEmpty()) {
                throw new ConfigException(flag + path + ": this folder has no " + fileName + "; give the folder of a "
                        + kind + ", as in " + folder + "/0123456789abcdef");
            }
            return parsed(file, store);
        } else if (found.bytes() <= MAX_NAME_BYTES && !Store.name(found.path()).equals(fileName)) {
            return named(withoutSuffix(Store.name(found.path())), Store.folder(found.path()), store);
        }
        return parsed(found.path(), store);
    }

    /** A folder whose name is an id has the file with this id. */
    private T parsed(String file, Store store) {
        T content = parser.parse(store.read(file, JsonLimits.SERVED.maxBytes()), file);
        String inFolder = Store.name(Store.folder(file));
        if (ID.matcher(inFolder).matches() && !inFolder.equals(id.apply(content))) {
            throw new CorruptDataException(
                    file, "is the " + kind + " " + id.apply(content) + ", and its folder says " + inFolder);
        }
        return content;
    }

    /**
     * Reads a file by its id or its name.
     *
     * @param in the path of the folder
     * @throws ConfigException if nothing is there
     * @throws CorruptDataException if it is damaged
     */
    T named(String words, String in, Store store) {
        String name = in + "/" + file(words);
        String found = words;
        // A name never has the form of an id: a file with such a name is ignored.
        if (!ID.matcher(words).matches() && store.find(name).isPresent()) {
            found = idIn(store.read(name, MAX_NAME_BYTES), name);
        }
        String file = in + "/" + found + "/" + fileName;
        boolean isThere = ID.matcher(found).matches() && store.find(file).isPresent();
        if (!isThere && !found.equals(words)) {
            throw new ConfigException(flag + words + ": " + name + " names the " + kind + " " + found
                    + ", which was deleted; plan again, or delete that file");
        } else if (!isThere) {
            throw new ConfigException(flag + words + ": no " + kind + " of that name or id is in " + in
                    + Suggestion.hint(words, known(in, store))
                    + (ID.matcher(words).matches()
                            ? "; copy the folder " + folder + " from where the " + kind + " was written"
                            : "; rankfeed plan makes one"));
        }
        return parsed(file, store);
    }

    private static List<String> known(String folder, Store store) {
        return store.entries(folder).stream()
                .map(entry -> entry.isFolder() ? entry.name() : withoutSuffix(entry.name()))
                .toList();
    }
}
