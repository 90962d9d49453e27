package io.rankfeed.schema.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.Origin;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MixtureColumnsTest {
    private static final Field TEXT = new Field("text", DType.STRING, Shape.scalar(), false);
    private static final Field LABEL = new Field("label", DType.INT32, Shape.scalar(), false);
    private static final Field IDS = new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE), false);

    private static Manifest.Version version(Map<String, Long> maxLengths, Field... fields) {
        return new Manifest.Version(
                new Contents("code", JsonNodeFactory.instance.objectNode(), List.of(), 0, List.of()),
                new SampleSchema(List.of(fields)),
                List.of(),
                maxLengths,
                Map.of(),
                Map.of(),
                Origin.NONE);
    }

    private static MixtureColumns columns(Manifest.Version a, Manifest.Version b, Map<String, List<String>> fill) {
        return MixtureColumns.of(new TreeMap<>(Map.of("a", a, "b", b)), fill);
    }

    @Test
    void columns_ofMembers_areUnifiedByName() {
        Field nullable = new Field("label", DType.INT32, Shape.scalar(), true);
        MixtureColumns unified = columns(
                version(Map.of("text", 7L), TEXT, LABEL),
                version(Map.of("text", 9L, "ids", 1L), IDS, nullable, TEXT),
                Map.of("ids", List.of("1", "2", "3")));
        assertThat(unified.schema()).isEqualTo(new SampleSchema(List.of(TEXT, nullable, IDS)));
        assertThat(unified.maxLengths()).isEqualTo(Map.of("text", 9L, "ids", 3L));
        assertThat(unified.fill()).isEqualTo(Map.of("ids", new FillValue(List.of("1", "2", "3"))));
    }

    @Test
    void columns_thatDiffer_areRefusedWithBothMembers() {
        Manifest.Version a = version(Map.of(), TEXT, LABEL);
        Manifest.Version b = version(Map.of(), TEXT, new Field("label", DType.INT32, Shape.of(2), false));
        assertThatThrownBy(() -> columns(a, b, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'label' is int32 [] in member 'a' and int32 [2] in member 'b'");
    }

    @Test
    void column_namedAsThatOfMembers_isRefused() {
        Field member = new Field("_member", DType.INT32, Shape.scalar(), false);
        Manifest.Version a = version(Map.of(), TEXT);
        assertThatThrownBy(() -> columns(a, version(Map.of(), TEXT, member), Map.of("_member", List.of("0"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column '_member' of member 'b' has the name of the column of member numbers;"
                        + " rename it in the job and export again");
    }

    @Test
    void fill_missingOrNotNeeded_isRefused() {
        Manifest.Version a = version(Map.of(), TEXT, LABEL);
        Manifest.Version b = version(Map.of(), TEXT);
        assertThatThrownBy(() -> columns(a, b, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'label' is in member 'a' and not in member 'b'")
                .hasMessageContaining("fill: {label: VALUE}");
        assertThatThrownBy(() -> columns(b, a, Map.of())).hasMessageContaining("in member 'b' and not in member 'a'");
        Map<String, List<String>> label = Map.of("label", List.of("0"));
        assertThatThrownBy(() -> columns(a, a, label)).hasMessageContaining("all members have the column 'label'");
        assertThatThrownBy(() -> columns(a, b, Map.of("lable", List.of("0"), "label", List.of("0"))))
                .hasMessageContaining("fill: unknown column 'lable'; did you mean 'label'?");
        assertThatThrownBy(() -> columns(a, b, Map.of("label", List.of("x"))))
                .hasMessageContaining("fill of column 'label': 'x' must be a number");
    }
}
