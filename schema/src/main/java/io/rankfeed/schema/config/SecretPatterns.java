package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** The patterns of {@code secrets.json}, which the launcher and the Python client read too. */
final class SecretPatterns {
    private static final String FILE = "secrets.json";
    private static final JsonNode JSON = read();
    private static final Pattern PART = Pattern.compile("<([A-Z]+)>");
    private static final Pattern NAME = compiled(JSON.path("name").textValue());
    private static final List<Find> FINDS = StreamSupport.stream(
                    JSON.path("finds").spliterator(), false)
            .map(find -> new Find(words(find), compiled(find.path("find").textValue())))
            .toList();

    /** @param words in lower case; a text without any of them has no match */
    private record Find(List<String> words, Pattern pattern) {}

    private record Span(int start, int end) {}

    private SecretPatterns() {}

    /** Whether the value of a setting or a member of this name is secret. */
    static boolean isSecret(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * The text with its secrets replaced. All finds read the original text, because one that replaced a part of a secret would hide the
     * rest from the others.
     *
     * @param found receives each secret
     */
    static String replaced(String text, String words, Consumer<String> found) {
        String lower = text.toLowerCase(Locale.ROOT);
        List<Span> secrets = new ArrayList<>();
        for (Find find : FINDS) {
            if (find.words().stream().anyMatch(lower::contains)) {
                find.pattern().matcher(text).results().forEach(match -> addSecrets(match, secrets));
            }
        }
        secrets.sort(Comparator.comparingInt(Span::start));
        StringBuilder shown = new StringBuilder();
        int end = 0;
        for (Span secret : secrets) {
            if (shown.isEmpty() || secret.start() > end) {
                shown.append(text, end, secret.start()).append(words);
            }
            end = Math.max(end, secret.end());
            String value = text.substring(secret.start(), secret.end());
            if (!value.equals(words)) {
                found.accept(value);
            }
        }
        return shown.append(text, end, text.length()).toString();
    }

    private static void addSecrets(MatchResult match, List<Span> secrets) {
        for (int group = 1; group <= match.groupCount(); group++) {
            if (match.start(group) < match.end(group)) {
                secrets.add(new Span(match.start(group), match.end(group)));
            }
        }
    }

    private static List<String> words(JsonNode find) {
        return StreamSupport.stream(find.path("in").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private static Pattern compiled(String regex) {
        return Pattern.compile(PART.matcher(regex)
                .replaceAll(part -> Matcher.quoteReplacement(
                        JSON.path("parts").path(part.group(1)).textValue())));
    }

    private static JsonNode read() {
        try (InputStream file = Objects.requireNonNull(SecretPatterns.class.getResourceAsStream(FILE))) {
            return StrictJson.parse(file.readAllBytes(), FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
