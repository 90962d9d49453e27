package io.rankfeed.schema.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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

    private SecretPatterns() {}

    /** Whether the value of a setting or a member of this name is secret. */
    static boolean isSecret(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * The text with its secrets replaced.
     *
     * @param found receives each secret
     */
    static String replaced(String text, String words, Consumer<String> found) {
        String shown = text;
        String lower = text.toLowerCase(Locale.ROOT);
        for (Find find : FINDS) {
            if (find.words().stream().noneMatch(lower::contains)) {
                continue;
            }
            shown = find.pattern()
                    .matcher(shown)
                    .replaceAll(match -> Matcher.quoteReplacement(replaced(match, words, found)));
        }
        return shown;
    }

    private static String replaced(MatchResult match, String words, Consumer<String> found) {
        StringBuilder shown = new StringBuilder();
        String whole = match.group();
        int end = match.start();
        for (int group = 1; group <= match.groupCount(); group++) {
            String secret = match.group(group);
            if (secret != null && !secret.isEmpty()) {
                shown.append(whole, end - match.start(), match.start(group) - match.start())
                        .append(words);
                end = match.end(group);
                if (!secret.equals(words)) {
                    found.accept(secret);
                }
            }
        }
        return shown.append(whole, end - match.start(), whole.length()).toString();
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
