package io.rankfeed.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":NaN}",
                "{'a':1}",
                "[1,]",
                "{\"a\":/**/1}",
                "\ufeff \u0001{}",
                "{\"a\":01}",
                "nul",
                "{\"a\":1111111111111111111111111111111111111111111111}"
            })
    void whatIsNoJsonIsDamageWithAByte(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> StrictJson.parse(bytes, "m.json"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageMatching("m\\.json, byte \\d+: .+");
        assertThatThrownBy(() -> StrictJson.requireObject(bytes, "m.json"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageMatching("m\\.json, byte \\d+: .+");
    }

    @Test
    void anObjectOfAnySizeIsRequired() {
        String members = IntStream.range(0, 300_000)
                .mapToObj(i -> "\"" + i + "\": [" + i + "]")
                .collect(Collectors.joining(",", "{", "}"));
        StrictJson.requireObject(members.getBytes(StandardCharsets.UTF_8), "m.json");
        for (String text : List.of("[]", "1", "\"{}\"", "{\"a\": [{\"b\": 1, \"b\": 2}]}", "{\"a\": {\"b\": [1, 2}}")) {
            assertThatThrownBy(() -> StrictJson.requireObject(text.getBytes(StandardCharsets.UTF_8), "m.json"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageMatching("m\\.json, byte \\d+: .+");
        }
    }

    @Test
    void otherEncodingsAndBrokenUtf8AreDamage() {
        assertThatThrownBy(() -> StrictJson.parse("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE), "m.json"))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> StrictJson.parse(new byte[] {'"', (byte) 0xc3, '"'}, "m.json"))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void deepNestingIsDamage() {
        String deep = "[".repeat(100_000);
        assertThatThrownBy(() -> StrictJson.parse(deep.getBytes(StandardCharsets.UTF_8), "m.json"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("32");
    }

    @Test
    void aFileOverItsCapOrBehindALinkIsNotRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.json"), "[1,2,3]");
        assertThat(StrictJson.readCapped(file, 7)).hasSize(7);
        assertThatThrownBy(() -> StrictJson.readCapped(file, 6)).hasMessageContaining("at most 6");
        Path link = Files.createSymbolicLink(folder.resolve("b.json"), file);
        assertThatThrownBy(() -> StrictJson.readCapped(link, 100))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("symbolic");
        assertThatThrownBy(() -> StrictJson.readCapped(folder.resolve("c"), 100))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void aSchemaSurvivesItsJson() {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE, 2), true),
                new Field("image", DType.UINT8, Shape.of(64, 64, 3), false),
                new Field("text", DType.STRING, Shape.scalar(), false)));
        byte[] bytes = CanonicalJson.indented(SchemaJson.toJson(schema));
        assertThat(SchemaJson.fromJson(JsonObject.root(StrictJson.parse(bytes, "m.json"), "m.json")))
                .isEqualTo(schema);
        assertThat(SchemaJson.shapeOf("[null,3]", "f")).isEqualTo(Shape.of(Shape.VARIABLE, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"fields\":[]}",
                "{\"fields\":{}}",
                "{\"fields\":[{\"name\":\"a\",\"dtype\":\"int32\",\"shape\":[],\"nullable\":0}]}",
                "{\"fields\":[{\"name\":\"a\",\"dtype\":\"int33\",\"shape\":[],\"nullable\":false}]}",
                "{\"fields\":[{\"name\":\"a\",\"dtype\":\"int32\",\"shape\":[3,null],\"nullable\":false}]}",
                "{\"fields\":[{\"name\":\"a\",\"dtype\":\"int32\",\"shape\":[-1],\"nullable\":false}]}",
                "{\"fields\":[{\"name\":\"a\",\"dtype\":\"int32\",\"shape\":[4611686018427387904],\"nullable\":false}]}",
                "{\"fields\":[{\"name\":\"a\",\"dtype\":\"int32\",\"shape\":[],\"nullable\":false,\"x\":1}]}",
                "{\"fields\":[{\"name\":\"a/b\",\"dtype\":\"int32\",\"shape\":[],\"nullable\":false}]}"
            })
    void aSchemaThatCannotBeIsDamage(String json) {
        JsonObject object =
                JsonObject.root(StrictJson.parse(json.getBytes(StandardCharsets.UTF_8), "m.json"), "m.json");
        assertThatThrownBy(() -> SchemaJson.fromJson(object))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("m.json");
    }

    @Test
    void moreThanTheLimitsIsRejectedWhereItBegins() {
        int values = JsonLimits.SERVED.maxValues();
        byte[] max = ("[" + "0,".repeat(values - 2) + "0]").getBytes(StandardCharsets.UTF_8);
        assertThat(StrictJson.parse(max, "f").size()).isEqualTo(values - 1);
        byte[] more = ("[" + "0,".repeat(values - 1) + "0]").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> StrictJson.parse(more, "f"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("has more than " + values + " values");
        assertThat(StrictJson.parse(more, "f", JsonLimits.PREPARED).size()).isEqualTo(values);
        int lists = JsonLimits.SERVED.maxContainers();
        byte[] nested = ("[" + "[],".repeat(lists - 2) + "[]]").getBytes(StandardCharsets.UTF_8);
        assertThat(StrictJson.parse(nested, "f").size()).isEqualTo(lists - 1);
        byte[] another = ("[" + "{},".repeat(lists - 1) + "[]]").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> StrictJson.parse(another, "f"))
                .hasMessageContaining("has more than " + lists + " objects and lists");
        assertThatThrownBy(() -> StrictJson.parse(new byte[(int) JsonLimits.SERVED.maxBytes() + 1], "f"))
                .hasMessageContaining("at most " + JsonLimits.SERVED.maxBytes() + " are read");
        assertThatThrownBy(() -> StrictJson.parse(
                        ("\"" + "x".repeat(JsonLimits.MAX_STRING_CHARS + 1) + "\"").getBytes(StandardCharsets.UTF_8),
                        "f"))
                .isInstanceOf(CorruptDataException.class);
        String members = IntStream.range(0, JsonLimits.MAX_MEMBERS + 1)
                .mapToObj(i -> "\"m" + i + "\":0")
                .collect(Collectors.joining(",", "{", "}"));
        assertThatThrownBy(() -> StrictJson.parse(members.getBytes(StandardCharsets.UTF_8), "f"))
                .hasMessageContaining("members in an object");
    }

    @Test
    void overlongAndHalvedCharactersAreNotUtf8() {
        byte[][] invalid = {
            {'"', (byte) 0xC0, (byte) 0x80, '"'},
            {'"', (byte) 0xC1, (byte) 0xBF, '"'},
            {'"', (byte) 0xE0, (byte) 0x80, (byte) 0xAF, '"'},
            {'"', (byte) 0xF0, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
            {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'},
            {'"', (byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80, '"'},
            {'"', (byte) 0xE2, (byte) 0x82}
        };
        for (byte[] bytes : invalid) {
            assertThatThrownBy(() -> StrictJson.parse(bytes, "f"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("byte 1")
                    .hasMessageContaining("is not valid UTF-8");
        }
    }
}
