package io.rankfeed.schema.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MixtureJsonTest {
    private final Mixture mixture = Mixtures.small();
    private final String text = new String(MixtureJson.toBytes(mixture), StandardCharsets.UTF_8);

    private static Mixture parse(String json) {
        return MixtureJson.parse(json.getBytes(StandardCharsets.UTF_8), "mixture.json");
    }

    @Test
    void mixture_read_isTheOneThatWasWritten() {
        assertThat(parse(text)).isEqualTo(mixture);
        assertThat(new String(MixtureJson.toBytes(parse(text)), StandardCharsets.UTF_8))
                .isEqualTo(text);
        assertThat(mixture.feed().members()).hasSize(2);
    }

    /** The bytes of a mixture never change: cursors name the id. */
    @Test
    void id_ofKnownMixture_isTheDigestOfItsFile() {
        assertThat(mixture.id()).isEqualTo("671128c26c41e03f");
        assertThat(text).contains("\"plan\": \"" + mixture.id() + "\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"seed\": 7              | \"seed\": 8                    | was changed after it was written",
                "\"name\": \"en\"         | \"name\": \"eo\"               | was changed after it was written",
                "\"nullable\": false      | \"nullable\": true             | was changed after it was written",
                "\"0.5\"                  | \"0.25\"                       | was changed after it was written",
                "\"0.5\"                  | \"0.50\"                       | fill of column 'score' is [0.50]",
                "\"0.5\"                  | \"half\"                       | 'half' must be a number",
                "\"0.5\"                  | 0.5                            | 'fill.score[0]' must be a string",
                "\"score\": [             | \"price\": [                   | no field 'price'",
                "\"dtype\": \"string\"    | \"dtype\": \"text\"            | unknown dtype 'text'",
                "\"fill\": {              | \"fills\": {                   | 'fills' is unknown",
                "\"seed\": 7              | \"seed\": 7, \"x\": 1          | is unknown",
                "\"format\"               | \"dataset\": \"a\", \"format\" | is an order over one dataset, and not a mixture",
                "\"formatVersion\": 2     | \"formatVersion\": 1           | 'columns' is unknown",
                "\"format\": \"rankfeed.order\" | \"format\": \"x\"         | 'format' must be 'rankfeed.order'",
                "\"kind\": \"train\"      | \"kind\": \"sequential\"       | is unknown"
            })
    void file_changed_isRefusedWithItsName(String right, String wrong, String what) {
        assertThat(text).contains(right);
        String changed = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        assertThatThrownBy(() -> parse(changed))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("mixture.json")
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[0.50]", "[5e-1]", "[0.5, 0.5]"})
    void fill_inAnotherForm_isRefusedThoughTheIdFits(String shown) {
        String written = shown.substring(1, shown.length() - 1).replace(", ", "\", \"");
        String anonymous = text.replace(mixture.id(), OrderId.NONE).replace("\"0.5\"", "\"" + written + "\"");
        String id = OrderId.of(anonymous.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> parse(anonymous.replace(OrderId.NONE, id)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("mixture.json")
                .hasMessageContaining("fill of column 'score' is " + shown + ", whose canonical form is [0.5]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", " ", "\r\n"})
    void bytes_behindTheEnd_areRefused(String more) {
        assertThatThrownBy(() -> parse(text + more))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("mixture.json, byte " + text.length())
                .hasMessageContaining("is not in the canonical form");
    }

    @Test
    void spaces_andOrderOfMembers_areThoseOfTheCanonicalForm() {
        assertThatThrownBy(() -> parse(text.replace("\"seed\": 7", "\"seed\":  7")))
                .hasMessageContaining("is not in the canonical form");
        assertThatThrownBy(() ->
                        parse(text.replaceFirst("(?s)(\"format\": [^\\n]*\\n)  (\"formatVersion\": 2,\\n)", "$2  $1")))
                .hasMessageContaining("is not in the canonical form");
    }

    @Test
    void order_ofADataset_isNoMixture() {
        byte[] order = OrderJson.toBytes(mixture.order());
        assertThatThrownBy(() -> MixtureJson.parse(order, "mixture.json"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("'columns' is missing");
        Order two = mixture.order();
        assertThatThrownBy(() -> new Mixture(
                        new Order("code", two.plan(), two.storage(), two.feeds()), mixture.columns(), mixture.fill()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
