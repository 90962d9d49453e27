package io.rankfeed.spark.source.format.mds;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.FormatDamage;
import io.rankfeed.spark.source.format.ReadFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shard that this test writes; those of the library are in {@code PeerFilesTest}. */
class MdsFormatTest {
    private static final List<String> COLUMNS = List.of("a", "b", "t");
    private static final int SAMPLES = 3;

    @TempDir
    Path folder;

    /** The columns a (uint64), b (ndarray:int16, two elements) and t (str). */
    private static byte[] shard() {
        ByteBuffer out = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(SAMPLES).position(4 * (SAMPLES + 2));
        out.put("{}".getBytes(US_ASCII));
        for (int row = 0; row < SAMPLES; row++) {
            out.putInt(4 * (row + 1), out.position());
            // The sizes of b and t; a; the rank and a dimension of b, its elements; t.
            out.putInt(6).putInt(row).putLong(-1 - row);
            out.put((byte) (1 << 2)).put((byte) 2).putShort((short) row).putShort((short) -row);
            out.put("xyz".getBytes(US_ASCII), 0, row);
        }
        out.putInt(4 * (SAMPLES + 1), out.position());
        return Arrays.copyOf(out.array(), out.position());
    }

    private MdsFormat format(String more, Path file) throws IOException {
        String index = """
            {"version": 2, "shards": [{"format": "mds", "column_names": ["a", "b", "t"], "samples": 3,
            "column_encodings": ["uint64", "ndarray:int16", "str"], "column_sizes": [8, null, null],
            "compression": null, "zip_data": null,
            "raw_data": {"basename": "s.mds", "bytes": %d, "hashes": {}}%s}]}
            """.formatted(shard().length, more);
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
        SourceFile source = new SourceFile(
                path.getFileSystem(new Configuration()).getFileStatus(path),
                file.getFileName().toString());
        return MdsFormat.of(new JsonMapper().readTree(index), "index.json", List.of(source));
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("s.mds"), bytes);
    }

    @Test
    void samples_areRows() throws IOException {
        Path file = write(shard());
        MdsFormat format = format("", file);
        assertThat(ReadFile.stored(format, file).rows()).hasValue(SAMPLES);
        assertThat(ReadFile.rows(format, file, COLUMNS))
                .containsExactly(
                        List.of(new BigDecimal("18446744073709551615"), List.of((short) 0, (short) 0), ""),
                        List.of(new BigDecimal("18446744073709551614"), List.of((short) 1, (short) -1), "x"),
                        List.of(new BigDecimal("18446744073709551613"), List.of((short) 2, (short) -2), "xy"));
        assertThat(ReadFile.rows(format, file, List.of("t"))).containsExactly(List.of(""), List.of("x"), List.of("xy"));
    }

    @Test
    void shard_thatContradictsItsIndex_isCorrupted() throws IOException {
        assertRefused(shard(), ", \"samples\": 4", CorruptDataException.class, "has 3 samples, index.json lists 4");
        assertRefused(Arrays.copyOf(shard(), shard().length - 1), "", CorruptDataException.class, "the file ends here");
        byte[] offset = shard();
        offset[8] = 5;
        assertRefused(offset, "", CorruptDataException.class, "byte 8: offset 5 of sample 1 is invalid");
        byte[] size = shard();
        size[size[4]] = 100;
        assertRefused(size, "", CorruptDataException.class, "sample 0, column 'b': a value of 100 bytes, ");
        byte[] shape = shard();
        shape[size[4] + 17] = 3;
        assertRefused(shape, "", CorruptDataException.class, "sample 0, column 'b': a value has 4 bytes");
        assertRefused(
                shard(),
                ", \"raw_data\": {\"basename\": \"s.mds\", \"bytes\": " + shard().length
                        + ", \"hashes\": {\"sha1\": \"00\"}}",
                CorruptDataException.class,
                "index.json lists 00");
    }

    @Test
    void indices_ofOtherKinds_areRefused() throws IOException {
        assertRefused(shard(), ", \"format\": \"json\"", ConfigException.class, "format 'json', only mds is read");
        assertRefused(shard(), ", \"column_names\": []", CorruptDataException.class, "one encoding and one size");
        String data = "{\"basename\": \"%s\", \"bytes\": " + shard().length + ", \"hashes\": {}}";
        assertRefused(shard(), ", \"raw_data\": " + data.formatted("t.mds"), CorruptDataException.class, "lists t.mds");
        String zipped = ", \"compression\": \"br:11\", \"raw_data\": " + data.formatted("t.mds") + ", \"zip_data\": "
                + data.formatted("s.mds");
        assertRefused(shard(), zipped, ConfigException.class, "compression 'br' is not supported");
        assertRefused(shard(), zipped.replace("br:11", "zstd"), CorruptDataException.class, "s.mds: invalid zstd data");
    }

    @Test
    void file_damaged_givesRowsOrAMessage() throws IOException {
        damaged(40, 60);
    }

    @Test
    @Tag("nightly")
    void manyFiles_damaged_giveRowsOrAMessage() throws IOException {
        damaged(4_000_000, 3000);
    }

    private void damaged(long seed, int changes) throws IOException {
        Path file = write(shard());
        assertThat(FormatDamage.read(format("", file), shard(), file, seed, changes))
                .containsKey("refused");
    }

    private void assertRefused(byte[] bytes, String more, Class<? extends RankfeedException> type, String what)
            throws IOException {
        Path file = write(bytes);
        assertThatThrownBy(() -> ReadFile.all(format(more, file), file))
                .isInstanceOf(type)
                .hasMessageContaining(what);
    }
}
