package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.JsonText;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An entry that rows have in a tar file: a column, or all numbers. Has buffers for the row that is being written. */
final class TarEntry {
    /** The entry with all numbers. */
    private static final String NUMBERS = "json";

    /** What the library adds to each row. */
    private static final Set<String> RESERVED = Set.of("__key__", "__url__", "__local_path__");

    private static final Pattern EXTENSION = Pattern.compile("[a-z0-9_]+(\\.[a-z0-9_]+)*");

    private final List<Field> fields;
    /** The column, or -1 for all numbers. */
    private final int field;

    private final TarHeader header;
    private final @Nullable NpyHead npy;
    /** The part of the value that is not an array of the row. */
    private final ByteBuilder encoded = new ByteBuilder();

    private TarEntry(List<Field> fields, int field, String extension) {
        this.fields = fields;
        this.field = field;
        this.header = new TarHeader("." + extension);
        this.npy = field >= 0 && !fields.get(field).dtype().isBytes() ? new NpyHead(fields.get(field)) : null;
    }

    /**
     * The entries in the order of their extensions, as the library writes them.
     *
     * @throws ConfigException if a column cannot be stored, or the option is invalid
     */
    static List<TarEntry> of(FileSet set) {
        List<Field> fields = set.schema().fields();
        Map<String, String> chosen = chosen(set);
        Map<String, TarEntry> entries = new HashMap<>();
        boolean numbers = fields.stream().noneMatch(field -> !field.nullable() && !Format.isNumber(field));
        for (int at = 0; at < fields.size(); at++) {
            Field field = fields.get(at);
            if (Format.isNumber(field)) {
                numbers = true;
                continue;
            }
            String extension = chosen.getOrDefault(field.name(), extension(field));
            if (entries.put(extension, new TarEntry(fields, at, extension)) != null) {
                throw Format.unsupported(
                        "webdataset",
                        field,
                        "another column has the extension '" + extension + "', which the library reads in lower case;"
                                + " set extensions: " + field.name() + "=NAME");
            }
        }
        if (numbers && entries.put(NUMBERS, new TarEntry(fields, -1, NUMBERS)) != null) {
            throw new ConfigException("format webdataset: extension 'json' has the numbers of a row;"
                    + " set another in extensions, as in text=text.json");
        }
        return entries.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Encodes the value of a row, and returns the bytes that the entry takes in the file; 0 if the row has none. */
    long prepare(FormatRow row) {
        encoded.clear();
        if (field < 0) {
            appendNumbers(row);
        } else if (row.isMissing(field)) {
            return 0;
        } else if (npy != null) {
            npy.append(row.lengthBytes(field), encoded);
        } else if (fields.get(field).kind() == Field.Kind.LIST) {
            JsonText.append(row, field, encoded);
        }
        long length = (long) encoded.size() + rowBytes(row);
        return TarHeader.BYTES + length + TarHeader.padding(length);
    }

    void write(FormatRow row, CountedFile out) throws IOException {
        int rowBytes = rowBytes(row);
        long length = encoded.size() + (long) rowBytes;
        out.write(header.of(row.rowId(), length), 0, TarHeader.BYTES);
        out.write(encoded.array(), 0, encoded.size());
        if (rowBytes > 0) {
            out.write(row.array(field), row.offset(field), rowBytes);
        }
        out.write(TarHeader.ZEROS, 0, TarHeader.padding(length));
    }

    /** The bytes that are written from the row's own array. */
    private int rowBytes(FormatRow row) {
        return field < 0 || fields.get(field).kind() == Field.Kind.LIST ? 0 : row.lengthBytes(field);
    }

    private void appendNumbers(FormatRow row) {
        char before = '{';
        for (int at = 0; at < fields.size(); at++) {
            if (Format.isNumber(fields.get(at))) {
                encoded.put((byte) before)
                        .put((byte) '"')
                        .putAscii(fields.get(at).name())
                        .putAscii("\": ");
                JsonText.appendNumber(row, at, fields.get(at).dtype(), encoded);
                before = ',';
            }
        }
        encoded.putAscii(before == '{' ? "{}" : "}");
    }

    private static String extension(Field field) {
        String name = field.name().toLowerCase(Locale.ROOT) + ".";
        return switch (field.kind()) {
            case FIXED, RAGGED -> name + "npy";
            case BYTES -> name + (field.dtype() == DType.STRING ? "txt" : "bin");
            case LIST -> {
                if (field.dtype() == DType.BINARY) {
                    throw Format.unsupported(
                            "webdataset", field, "lists are stored as JSON, which has no binary; use tfrecord or lmdb");
                }
                yield name + "json";
            }
        };
    }

    private static Map<String, String> chosen(FileSet set) {
        Map<String, String> chosen = new HashMap<>();
        String option = set.options().text(WebDataset.EXTENSIONS, "");
        for (String part : option.isBlank() ? new String[0] : option.split(",")) {
            String[] pair = part.trim().split("=", 2);
            Optional<Field> column = set.schema().find(pair[0]);
            if (pair.length != 2 || !EXTENSION.matcher(pair[1]).matches() || column.isEmpty()) {
                throw new ConfigException(
                        "format webdataset: extensions: '" + part.trim()
                                + "' is not COLUMN=EXTENSION of a column of the version, with an extension of a-z, 0-9, _ and dots");
            }
            if (Format.isNumber(column.get())) {
                throw Format.unsupported(
                        "webdataset",
                        column.get(),
                        "one number has no extension, because all of a row are in json; leave it out of extensions");
            }
            if (RESERVED.contains(pair[1]) || chosen.put(pair[0], pair[1]) != null) {
                throw new ConfigException("format webdataset: extensions: '" + part.trim()
                        + (RESERVED.contains(pair[1])
                                ? "' has a name that the library adds to each row; choose another extension"
                                : "' is the second of its column; leave one out"));
            }
        }
        return chosen;
    }
}
