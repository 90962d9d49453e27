package io.rankfeed.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Formats events of a log as JSON, in ASCII whatever the encoding of the stream is, without secrets. */
final class JsonLines {
    private static final DateTimeFormatter MILLIS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private final InstantSource clock;
    private final JsonMapper mapper =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    JsonLines(InstantSource clock) {
        this.clock = clock;
    }

    String line(LogEvent event) {
        Instant now = clock.instant();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("time", MILLIS.format(now));
        members.put("level", event.level().name().toLowerCase(Locale.ROOT));
        members.put("message", Console.printable(event.message()));
        event.fields()
                .forEach((name, value) ->
                        members.put(name, value instanceof String text ? Console.printable(text) : value));
        try {
            return mapper.writeValueAsString(members);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a field is neither text nor a number", e);
        }
    }
}
