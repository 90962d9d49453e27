package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileSetTest {
    private static final SampleSchema SCHEMA =
            DrawnRows.schema(field -> field.name().equals("binary"));

    @Test
    void parts_followOptionsAndTheMeanLength() {
        assertThat(set("mds", 1000, 1000L << 20, 0, 0).partRows()).isEqualTo(128);
        assertThat(set("mds", 1000, 1000L << 20, 300, 0).parts()).isEqualTo(4);
        assertThat(set("mds", 1000, 1000L << 20, 0, 4 << 20).partRows()).isEqualTo(32);
        assertThat(set("mds", 1000, 1000, 0, Long.MAX_VALUE).partRows()).isEqualTo(1000);
        assertThat(set("mds", 2, 1L << 40, 0, 0).parts()).isEqualTo(2);
        assertThat(set("mds", 0, 0, 0, 0).parts()).isEqualTo(1);
        assertThat(set("image-mmap", 1000, 1000L << 20, 0, 0).parts()).isEqualTo(1);
        assertThat(set("mds", 1000, 1000L << 20, 300, 0).part(3)).isEqualTo(new Part(3, 900, 100, List.of()));
    }

    @Test
    void names_sortInTheOrderOfRows() {
        assertThat(set("mds", 9, 9, 3, 0).shardPath("shard.", 2, 0, ".mds")).isEqualTo("train/shard.00002.mds");
        assertThat(set("mds", 9, 9, 3, 1).shardPath("", 2, 13, ".tar")).isEqualTo("train/00002-0013.tar");
        FileSet many = set("tfrecord", 100_001, 100_001, 1, 0);
        assertThat(many.shardPath("", 99_999, 0, "")).isLessThan(many.shardPath("", 100_000, 0, ""));
        FileSet small = set("tfrecord", 10_001, 10_001, 10_001, 1);
        assertThat(small.shardPath("", 0, 9_999, "")).isLessThan(small.shardPath("", 0, 10_000, ""));
    }

    @Test
    void unknownOption_isRefused() {
        FormatOptions options = FormatOptions.none().with("extension", "binary=jpg");
        assertThatThrownBy(() -> FileSet.of(Formats.named("webdataset"), "train", SCHEMA, 1, 1, options))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("format webdataset has no option 'extension'")
                .hasMessageContaining("extensions");
        assertThatThrownBy(() -> set("image-mmap", 1, 1, 1, 0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("writes one file");
        assertThatThrownBy(() -> Formats.named("webdatset"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("webdataset");
    }

    private static FileSet set(String format, long rows, long lengthBytes, long shardRows, long shardBytes) {
        FormatOptions options = new FormatOptions(shardRows, shardBytes, Map.of());
        return FileSet.of(Formats.named(format), "train", SCHEMA, rows, lengthBytes, options);
    }
}
