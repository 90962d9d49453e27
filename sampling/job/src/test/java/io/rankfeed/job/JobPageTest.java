package io.rankfeed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of keys in docs/job-file.md has the defaults and ranges of the records; with -Drankfeed.write they are written. */
class JobPageTest {
    private static final Path PAGE = Path.of("../../docs/job-file.md");
    private static final Pattern LINE =
            Pattern.compile("\\| `([a-z.*\\[\\]-]+)` \\| ([^|]*) \\| ([^|]*) \\| ([^|]*)\\|");
    private static final Pattern RANGE = Pattern.compile("^[\\d,]+( [KMGT]?i?B)? to [\\d,]+( [KMGT]?i?B)?");

    /** Its third and fourth column. */
    private record Line(String fallback, String range) {}

    @Test
    void table_ofKeys_hasEveryDefaultAndRange() throws IOException {
        Map<String, RecordComponent> keys = new LinkedHashMap<>();
        Set<String> sections = new HashSet<>();
        collect(Job.class, "", keys, sections);
        assertThat(keys).hasSizeGreaterThan(40);
        if (System.getProperty("rankfeed.write") != null) {
            write(keys);
        }
        Map<String, Line> page = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                assertThat(page.put(matcher.group(1), new Line(matcher.group(3).replace("`", ""), matcher.group(4))))
                        .as(line)
                        .isNull();
            }
        }
        Set<String> reported = new HashSet<>(page.keySet());
        reported.removeAll(sections);
        assertThat(reported).isEqualTo(keys.keySet());
        keys.forEach((key, component) -> {
            Line line = Objects.requireNonNull(page.get(key));
            fallback(component)
                    .ifPresent(fallback -> assertThat(line.fallback()).as(key).isEqualTo(fallback));
            range(component).ifPresent(range -> assertThat(line.range()).as(key).startsWith(range));
        });
    }

    /** Replaces defaults and ranges in the lines of the page. Lines of new keys are written by hand: type and description. */
    private static void write(Map<String, RecordComponent> keys) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher matcher = LINE.matcher(line);
            RecordComponent component = matcher.matches() ? keys.get(matcher.group(1)) : null;
            if (component == null) {
                lines.add(line);
                continue;
            }
            String shown = matcher.group(3);
            String fallback = fallback(component)
                    .map(value -> shown.startsWith("`") ? "`" + value + "`" : value)
                    .orElse(shown);
            String values = range(component)
                    .map(range -> RANGE.matcher(matcher.group(4)).replaceFirst(Matcher.quoteReplacement(range)))
                    .orElse(matcher.group(4));
            lines.add("| `" + matcher.group(1) + "` | " + matcher.group(2) + " | " + fallback + " | " + values + "|");
        }
        Files.write(PAGE, lines);
    }

    private static Optional<String> fallback(RecordComponent component) {
        return Optional.ofNullable(component.getAnnotation(Default.class))
                .map(Default::value)
                .filter(value -> !List.of("[]", "{}").contains(value));
    }

    private static Optional<String> range(RecordComponent component) {
        return Optional.ofNullable(component.getAnnotation(Range.class))
                .filter(range -> range.max() != Long.MAX_VALUE)
                .map(range -> text(component, range.min()) + " to " + text(component, range.max()));
    }

    /** Sections by their names, and the keys in them: {@code .*} for any name, {@code []} for any element. */
    private static void collect(
            Class<?> record, String prefix, Map<String, RecordComponent> keys, Set<String> sections) {
        for (RecordComponent component : record.getRecordComponents()) {
            String key =
                    prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            String inner = key;
            Type value = component.getGenericType();
            while (value instanceof ParameterizedType generic) {
                inner += generic.getRawType() == Map.class ? ".*" : generic.getRawType() == List.class ? "[]" : "";
                Type[] arguments = generic.getActualTypeArguments();
                value = arguments[arguments.length - 1];
            }
            Class<?> type = (Class<?>) value;
            if (type.isRecord() && type != ByteSize.class && type != Shape.class) {
                sections.add(key);
                collect(type, inner + ".", keys, sections);
            } else {
                keys.put(key, component);
            }
        }
    }

    private static String text(RecordComponent component, long number) {
        return component.getType() == ByteSize.class
                ? new ByteSize(number).toString()
                : String.format(Locale.ROOT, "%,d", number);
    }
}
