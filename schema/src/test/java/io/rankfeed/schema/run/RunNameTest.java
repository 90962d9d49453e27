package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code run-names.json}, which the Python client's tests read too. */
class RunNameTest {
    private static final int MAX_MESSAGE_CHARS = 300;

    @ParameterizedTest
    @MethodSource
    void aValidIdNamesAVersionOfItsRun(String id) {
        assertThat(RunName.requireId(id)).isEqualTo(id);
        assertThat(VersionName.parse("/data/shop@" + id)).contains(new VersionName("/data/shop", id));
        assertThat(RunName.folder(id)).doesNotContain(":", "+").hasSameSizeAs(id);
    }

    @ParameterizedTest
    @MethodSource
    void anotherIdIsRefused(String id) {
        refused(RunName::requireId, id, "run id '");
    }

    @ParameterizedTest
    @MethodSource
    void aVersionOfAnotherIdIsRefused(String id) {
        assertThatThrownBy(() -> VersionName.parse("/data/shop@" + id)).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @MethodSource
    void aValidNameOfARunThatIsFed(String name) {
        assertThat(RunName.requireFed(name)).isEqualTo(name);
        assertThat(RunName.isFed(name)).isTrue();
    }

    @ParameterizedTest
    @MethodSource
    void anotherNameOfARunThatIsFedIsRefused(String name) {
        refused(RunName::requireFed, name, "run name '");
        assertThat(RunName.isFed(name)).isFalse();
    }

    private static void refused(Function<String, String> validator, String name, String start) {
        assertThatThrownBy(() -> validator.apply(name))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(start)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(MAX_MESSAGE_CHARS));
    }

    static Stream<String> aValidIdNamesAVersionOfItsRun() throws IOException {
        return cases("run-id", "valid");
    }

    static Stream<String> anotherIdIsRefused() throws IOException {
        return cases("run-id", "refused");
    }

    /** {@code latest} is a version's name, and a slash or a second {@code @} makes a path of the whole. */
    static Stream<String> aVersionOfAnotherIdIsRefused() throws IOException {
        return anotherIdIsRefused()
                .filter(id -> !id.isEmpty() && !id.equals(RunName.LATEST) && !id.contains("/") && !id.contains("@"));
    }

    static Stream<String> aValidNameOfARunThatIsFed() throws IOException {
        return cases("run", "valid");
    }

    static Stream<String> anotherNameOfARunThatIsFedIsRefused() throws IOException {
        return cases("run", "refused");
    }

    private static Stream<String> cases(String kind, String verdict) throws IOException {
        try (InputStream in = Optional.ofNullable(RunNameTest.class.getResourceAsStream("/run-names.json"))
                .orElseThrow()) {
            JsonObject root = JsonObject.root(StrictJson.parse(in.readAllBytes(), "run-names.json"), "run-names.json");
            return StreamSupport.stream(root.node(kind).get(verdict).spliterator(), false)
                    .map(node -> node.asText());
        }
    }
}
