package io.rankfeed.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases that the Python launcher and client are tested with, too. */
class RedactionTest {
    private static final String WORD = "abcXYZ0189_~.+-";
    private static final String OPEN = WORD + " /&;,=:@()[]{}";
    private static final List<String> NAMES =
            List.of("pwd:", "token=", "secret=", "password:", "key=", "sig:", "://", "hf_A1");

    record Hidden(String kind, String text) {}

    static Stream<Hidden> hidden() throws IOException {
        return cases("hidden").stream()
                .map(one ->
                        new Hidden(one.path("kind").asText(), one.path("text").asText()));
    }

    static Stream<String> kept() throws IOException {
        return cases("kept").stream().map(JsonNode::asText);
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void noSecretIsShown(Hidden hidden) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random dice = new Random(seed);
        for (int i = 0; i < 50; i++) {
            String secret = secret(hidden.kind(), dice);
            if (List.of("word", "sql", "quoted").contains(hidden.kind()) && dice.nextBoolean()) {
                int at = 3 + dice.nextInt(secret.length() - 6);
                secret = secret.substring(0, at) + NAMES.get(dice.nextInt(NAMES.size())) + secret.substring(at);
            }
            String shown = Redaction.text(hidden.text().replace("{S}", secret));
            assertThat(shown).doesNotContain(secret.substring(0, 6), secret.substring(secret.length() - 6));
            // Of an address the user may go too, and after a name in a secret more than the secret.
            if (!secret.contains("@")
                    && !hidden.kind().startsWith("url")
                    && Redaction.text(secret).equals(secret)) {
                assertThat(shown).isEqualTo(hidden.text().replace("{S}", "<redacted>"));
            }
            assertThat(Redaction.text(shown)).isEqualTo(shown);
        }
    }

    @ParameterizedTest
    @MethodSource("kept")
    void otherTextStays(String text) {
        assertThat(Redaction.text(text)).isEqualTo(text);
    }

    @Test
    void aJsonTextStaysJson() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("secret", 4).put("token", 5).put("sql", "WHERE password = \"it's 4\" AND x = '\\n'");
        tree.put("url", "https://h/x?sig=abc").putObject("password").put("n", true);
        tree.put("api_key", "a\"b\\c").put("authorization", "Bearer x\"y");
        String shown = Redaction.text(tree.toPrettyString());
        assertThatCode(() -> StrictJson.parse(shown.getBytes(StandardCharsets.UTF_8), "x"))
                .as(shown)
                .doesNotThrowAnyException();
        assertThat(shown).doesNotContain("it's 4", "abc");
    }

    @Test
    void longTextsAreReadWithoutRecursion() {
        String value = "a''b\\'c<".repeat(200_000);
        assertThat(Redaction.text("password = '" + value + "' AND x")).isEqualTo("password = '<redacted>' AND x");
        assertThat(Redaction.text("password=" + "a<".repeat(500_000))).isEqualTo("password=<redacted>");
        assertThat(Redaction.text("a.b-c".repeat(200_000))).hasSize(1_000_000);
    }

    @Test
    void secret_ofSettings_isReplacedWithoutItsName() {
        Redaction.learn("fs.s3a.secret.key", "kZ81-known-by-name");
        Redaction.learn("SELECT 1 WHERE x = 'password=kZ82-known' AND n = 'kZ83-plain'");
        Redaction.learn("s3a://someone:kZ84-known@bucket/");
        Redaction.learn("password", "string");
        assertThat(Redaction.text("the values kZ81-known-by-name, kZ82-known, kZ83-plain, kZ84-known, someone, string"))
                .isEqualTo("the values <redacted>, <redacted>, kZ83-plain, <redacted>, someone, string");
    }

    private static String secret(String kind, Random dice) {
        String alphabet =
                switch (kind) {
                    case "url-user" -> WORD + "!$*%@";
                    case "url-slash", "pem" -> "abcXYZ0189+/=";
                    case "query" -> WORD + "%";
                    case "sql", "quoted" -> OPEN;
                    case "word" -> WORD + "/=:@!?";
                    case "letters" -> "abcdefxyz";
                    default -> "abcXYZ0189";
                };
        StringBuilder drawn = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            drawn.append(alphabet.charAt(dice.nextInt(alphabet.length())));
        }
        return switch (kind) {
            case "aws" -> "AKIA7Q" + drawn.toString().toUpperCase(Locale.ROOT);
            case "hf" -> "hf_Z7" + drawn;
            case "gh" -> "ghp_" + drawn;
            case "pat" -> "github_pat_" + drawn;
            case "sk" -> "sk-7" + drawn;
            case "jwt" -> "eyJhbGciOiJI.eyJzdWIi." + drawn;
            case "letters" -> "zq" + drawn;
            default -> "Zq7" + drawn + "7Z";
        };
    }

    private static List<JsonNode> cases(String member) throws IOException {
        try (InputStream file = Objects.requireNonNull(RedactionTest.class.getResourceAsStream("secrets-cases.json"))) {
            List<JsonNode> cases = new ArrayList<>();
            StrictJson.parse(file.readAllBytes(), "secrets-cases.json")
                    .path(member)
                    .forEach(cases::add);
            return cases;
        }
    }
}
