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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of keys in docs/job-file.md against the records that are bound. */
class JobPageTest {
    private static final Pattern LINE =
            Pattern.compile("\\| `([a-z.*\\[\\]-]+)` \\| ([^|]*) \\| ([^|]*) \\| ([^|]*)\\|");

    /** Its third and fourth column. */
    private record Line(String fallback, String range) {}

    @Test
    void theTableHasEveryKeyWithItsDefaultAndItsRange() throws IOException {
        Map<String, Line> page = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("../../docs/job-file.md"))) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                assertThat(page.put(matcher.group(1), new Line(matcher.group(3).replace("`", ""), matcher.group(4))))
                        .as(line)
                        .isNull();
            }
        }
        Map<String, RecordComponent> keys = new LinkedHashMap<>();
        Set<String> sections = new HashSet<>();
        collect(Job.class, "", keys, sections);
        assertThat(keys).hasSizeGreaterThan(40);
        Set<String> reported = new HashSet<>(page.keySet());
        reported.removeAll(sections);
        assertThat(reported).isEqualTo(keys.keySet());
        keys.forEach((key, component) -> {
            Line line = Objects.requireNonNull(page.get(key));
            Default fallback = component.getAnnotation(Default.class);
            if (fallback != null && !List.of("[]", "{}").contains(fallback.value())) {
                assertThat(line.fallback()).as(key).isEqualTo(fallback.value());
            }
            Range range = component.getAnnotation(Range.class);
            if (range != null && range.max() != Long.MAX_VALUE) {
                assertThat(line.range())
                        .as(key)
                        .startsWith(text(component, range.min()) + " to " + text(component, range.max()));
            }
        });
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
