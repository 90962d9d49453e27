package io.rankfeed.feeder.preview;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names behind numbers that {@code rf_label} gave. The lists are files of the prepared table, which is next to the version where
 * both were made; its query says which column has the numbers of which list.
 */
public final class LabelNames {
    private static final Pattern CALL = Pattern.compile("(?i)\\brf_label\\s*\\(\\s*'([A-Za-z0-9_-]+)'");
    private static final Pattern ALIAS = Pattern.compile("(?i)\\s+AS\\s+`?([A-Za-z_][A-Za-z0-9_]*)`?");
    private static final long MAX_BYTES = 64L << 20;
    private static final int MAX_CHARS = 200;

    private final Map<String, List<String>> names;

    private LabelNames(Map<String, List<String>> names) {
        this.names = names;
    }

    /**
     * Reads the label names of a version; there are none if its prepared table is missing.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if the table or a list is damaged
     */
    public static LabelNames of(OpenVersion version) {
        Map<String, List<String>> names = new HashMap<>();
        prepared(version)
                .filter(folder -> Files.exists(folder.resolve(Manifest.FILE_NAME)))
                .ifPresent(folder -> {
                    List<String> texts = new ArrayList<>();
                    texts(ManifestJson.read(folder).job(), texts);
                    columns(texts).forEach((column, list) -> {
                        Path file = folder.resolve("labels").resolve(list + ".json");
                        if (isInteger(version.schema(), column) && Files.exists(file)) {
                            names.put(column, list(file));
                        }
                    });
                });
        return new LabelNames(names);
    }

    /** The value, followed by its name if there is one. */
    public String named(String column, String value) {
        List<String> list = names.getOrDefault(column, List.of());
        boolean isNumber = value.length() < 10 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = isNumber && !value.isEmpty() ? Integer.parseInt(value) : list.size();
        return number < list.size() ? value + " (" + shown(list.get(number)) + ")" : value;
    }

    private static String shown(String name) {
        return Printable.line(name.length() > MAX_CHARS ? name.substring(0, MAX_CHARS) + "…" : name);
    }

    private static Optional<Path> prepared(OpenVersion version) {
        return version.manifest().inputs().stream()
                .filter(input -> input instanceof Input.ArtifactInput made && made.format() == ArtifactFormat.PREPARED)
                .map(input -> version.folder().resolve("../../prepared").resolve(((Input.ArtifactInput) input).id()))
                .findFirst();
    }

    private static boolean isInteger(SampleSchema schema, String column) {
        return schema.find(column)
                .filter(field -> field.dtype() == DType.INT32 && field.kind() == Field.Kind.FIXED)
                .isPresent();
    }

    private static List<String> list(Path file) {
        List<String> list = new ArrayList<>();
        StrictJson.parse(StrictJson.readCapped(file, MAX_BYTES), file.toString())
                .forEach(name -> list.add(name.asText()));
        return list;
    }

    private static void texts(JsonNode node, List<String> texts) {
        if (node.isTextual()) {
            texts.add(node.textValue());
        }
        node.forEach(child -> texts(child, texts));
    }

    /**
     * The list of each column that is a call of {@code rf_label}, by the SQL of a job: a column that is named again elsewhere may be
     * another one and is left out.
     */
    static Map<String, String> columns(List<String> texts) {
        Map<String, String> lists = new HashMap<>();
        String all = String.join("\n", texts);
        Matcher call = CALL.matcher(all);
        while (call.find()) {
            Matcher alias = ALIAS.matcher(all).region(end(all, all.indexOf('(', call.start())), all.length());
            if (alias.lookingAt() && isNamedOnce(all, alias.group(1))) {
                lists.put(alias.group(1), call.group(1));
            }
        }
        return lists;
    }

    private static boolean isNamedOnce(String sql, String column) {
        return Pattern.compile("(?i)\\bAS\\s+`?" + column + "\\b")
                        .matcher(sql)
                        .results()
                        .count()
                == 1;
    }

    /** Returns the index after the closing parenthesis of the one at {@code open}; the length of the text if there is none. */
    private static int end(String sql, int open) {
        int depth = 0;
        char quote = 0;
        for (int i = open; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0) {
                return i + 1;
            }
        }
        return sql.length();
    }
}
