package io.rankfeed.text.chat.jinja;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.testing.PythonEnvironment;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random expressions and templates (src/test/python/template_cases) give the text of Jinja, and what Jinja refuses is refused. What is
 * not supported may be refused in addition.
 */
class TemplateCasesTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat");
    private static final ObjectMapper JSON = new ObjectMapper();
    /**
     * What Jinja finds when it compiles an expression, also where that is not evaluated: constants that are no finite number, for which
     * Python finds no name in the generated code, and constant mappings with a list as a key.
     */
    private static final Set<String> FOUND_BY_COMPILER = Set.of(
            "NameError: name 'inf' is not defined",
            "NameError: name 'nan' is not defined",
            "TypeError: unhashable type: 'list'",
            "TypeError: unhashable type: 'dict'");

    private final List<String> wrong = new ArrayList<>();
    private int equal;
    private int unsupported;

    @ParameterizedTest
    @CsvSource({"expressions.jsonl.gz", "templates.jsonl.gz"})
    void storedCasesAreThoseOfJinja(String file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FOLDER.resolve(file)))) {
            compare(in);
        }
        assertThat(wrong).isEmpty();
        assertThat(unsupported).isLessThan(equal / 5);
    }

    @ParameterizedTest
    @CsvSource({"expressions, 10", "templates, 1"})
    @Tag("nightly")
    void newCasesAreThoseOfJinja(String kind, int times) throws IOException, InterruptedException {
        int count = times * Integer.getInteger("tests.templates", 100_000);
        String seed = Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000));
        System.out.println("template_cases --kind " + kind + " --seed " + seed);
        Process process = PythonEnvironment.command(
                        "test",
                        "schema/text/src/test/python/template_cases",
                        "--kind",
                        kind,
                        "--seed",
                        seed,
                        "--count",
                        Integer.toString(count),
                        "--jobs",
                        "2")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream in = process.getInputStream()) {
            compare(in);
        }
        assertThat(process.waitFor()).isZero();
        assertThat(wrong).isEmpty();
        assertThat(unsupported).isLessThan(equal / 5);
        assertThat(equal).isGreaterThan(count / 2);
    }

    private void compare(InputStream in) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode one = JSON.readTree(line);
            JsonNode expected = one.path("text");
            String actual = rendered(one);
            if (actual == null && expected.isTextual()) {
                unsupported++;
            } else if (actual != null && !actual.equals(expected.textValue())) {
                if (!FOUND_BY_COMPILER.contains(one.path("error").asText())) {
                    wrong.add(line + " gives " + actual);
                }
            } else {
                equal++;
            }
        }
    }

    /** Null where it is refused; anything but a refusal fails. */
    private static String rendered(JsonNode one) {
        Map<String, Object> values = JSON.convertValue(one.path("variables"), new TypeReference<>() {});
        Variables variables = new Variables().setDate(LocalDate.of(2026, 7, 1));
        values.forEach(variables::set);
        try {
            return Template.parse(one.path("source").textValue())
                    .render(variables)
                    .text();
        } catch (TemplateError e) {
            if (!e.isRefusal()) {
                assertThat(e.getMessage()).doesNotContain("null", "java.", "Exception", "io.rankfeed");
            }
            return null;
        }
    }

    @Test
    void aRefusalIsNotAText() throws IOException {
        compare(new java.io.ByteArrayInputStream(
                "{\"source\": \"{{ 1 }}\", \"variables\": {}, \"text\": null, \"error\": \"x\"}\n"
                        .getBytes(StandardCharsets.UTF_8)));

        assertThat(wrong).hasSize(1);
    }
}
