package io.rankfeed.spark.source.format.webdataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.format.FormatDamage;
import io.rankfeed.spark.source.format.ReadFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tars as Commons Compress writes them; those of the library itself are in {@code PeerFilesTest}. */
class WebDatasetFormatTest {
    private static final String LONG = "folder/" + "n".repeat(200);

    private final WebDatasetFormat format = new WebDatasetFormat();

    @TempDir
    Path folder;

    /** Names and contents in turn. */
    private static byte[] tar(Object... members) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream out = new TarArchiveOutputStream(bytes)) {
            out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (int i = 0; i < members.length; i += 2) {
                byte[] content =
                        members[i + 1] instanceof byte[] given ? given : ((String) members[i + 1]).getBytes(UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry((String) members[i]);
                entry.setSize(content.length);
                out.putArchiveEntry(entry);
                out.write(content);
                out.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] npy(String header, int... values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String text = header + " ".repeat(117 - header.length()) + "\n";
        out.writeBytes(HexFormat.of().parseHex("934e554d505901007600"));
        out.writeBytes(text.getBytes(UTF_8));
        for (int value : values) {
            out.write(value);
            out.write(value >> 8);
        }
        return out.toByteArray();
    }

    private static String header(String dtype, String shape) {
        return "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    }

    private static byte[] samples() throws IOException {
        return tar(
                "a/1.jpg",
                new byte[] {1, 2, 3},
                "a/1.cls",
                " 7\n",
                "a/1.Caption.TXT",
                "ä",
                "a/1.x.npy",
                npy(header("<i2", "2, 2"), 1, 2, 3, -4),
                "a/2.cls",
                "-9",
                "a/2.json",
                "{\"k\": 1}",
                "a/2.x.npy",
                npy(header("<i2", "0, 5")),
                LONG + ".jpg",
                new byte[600]);
    }

    private Path write(String name, byte[] tar) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            if (name.endsWith("gz")) {
                try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
                    zipped.write(tar);
                }
            } else {
                out.write(tar);
            }
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.tar", "a.tar.gz", "a.tgz"})
    void samples_areRows(String name) throws IOException {
        Path file = write(name, samples());
        ReadFile read = ReadFile.all(format, file);
        assertThat(read.stored().rows()).hasValue(3);
        assertThat(new TreeMap<>(read.stored().types())
                        .entrySet().stream()
                                .map(type ->
                                        type.getKey() + " " + type.getValue().sql()))
                .containsExactly(
                        "__key__ STRING",
                        "caption_txt STRING",
                        "cls BIGINT",
                        "jpg BINARY",
                        "json STRING",
                        "x_npy ARRAY<ARRAY<SMALLINT>>");
        List<String> columns = List.of("__key__", "cls", "caption_txt", "x_npy", "jpg", "json");
        assertThat(ReadFile.rows(format, file, columns))
                .containsExactly(
                        Arrays.asList(
                                "a/1",
                                7L,
                                "ä",
                                List.of(List.of((short) 1, (short) 2), List.of((short) 3, (short) -4)),
                                "010203",
                                null),
                        Arrays.asList("a/2", -9L, null, List.of(), null, "{\"k\": 1}"),
                        Arrays.asList(LONG, null, null, null, "00".repeat(600), null));
        assertThat(ReadFile.rows(format, file, List.of())).hasSize(3);
    }

    @Test
    void members_thatTheLibraryIgnores_areNotRead() throws IOException {
        byte[] tar = tar("__meta__/1.txt", "m", "1.txt", "a", "README", "r", "folder/", "", "1.cls", "3");
        Path file = write("a.tar", tar);
        assertThat(ReadFile.rows(format, file, List.of("__key__", "txt", "cls")))
                .containsExactly(List.of("1", "a", 3L));
        assertThat(ReadFile.all(format, write("empty.tar", tar())).rows()).isEmpty();
    }

    @Test
    void arrays_ofOtherTypes_haveNoTypeInSpark() throws IOException {
        byte[] tar =
                tar("1.x.npy", npy(header("<i2", "1,"), 1), "2.x.npy", npy(header("<i2", "1, 1"), 1), "3.y.npy", "y");
        assertThat(ReadFile.stored(format, write("a.tar", tar)).types()).containsOnlyKeys("__key__");
        assertThat(ReadFile.stored(format, write("a.tar", tar)).columns().toString())
                .contains("array of int16 with 1 dimensions and array of int16 with 2 dimensions")
                .contains("is not an array");
    }

    @Test
    void content_ofOtherType_isCorrupted() throws IOException {
        assertRefused(tar("1.cls", "seven"), CorruptDataException.class, "byte 512: member '1.cls': is not an integer");
        assertRefused(tar("1.cls", "7".repeat(40)), CorruptDataException.class, "is not an integer");
        assertRefused(
                tar("1.txt", new byte[] {(byte) 0xff}), CorruptDataException.class, "member '1.txt': invalid UTF-8");
        assertRefused(
                tar("1.npy", npy(header("<i2", "3,"), 1)),
                CorruptDataException.class,
                "member '1.npy': has 2 bytes of");
    }

    @Test
    void samples_thatContradictThemselves_areRefused() throws IOException {
        assertRefused(
                tar("1.txt", "a", "1.TXT", "b"),
                CorruptDataException.class,
                "byte 1024: member '1.TXT' is a duplicate in its sample");
        assertRefused(
                tar("1.a.b", "a", "2.a_b", "b"),
                ConfigException.class,
                "the extensions a.b and a_b give the same column");
        assertRefused(tar("1.__key__", "a"), ConfigException.class, "give the same column name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.tar", "a.tar.gz"})
    void file_withoutEnd_isCorrupted(String name) throws IOException {
        byte[] tar = samples();
        int end = tar.length;
        while (tar[end - 1] == 0) {
            end--;
        }
        for (int length : new int[] {0, 100, 512, 1024, end, (end + 511) / 512 * 512}) {
            assertThatThrownBy(() -> ReadFile.all(format, write(name, Arrays.copyOf(tar, length))))
                    .as("%s bytes", length)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void file_damaged_givesRowsOrAMessage() throws IOException {
        damaged(20, 25);
    }

    @Test
    @Tag("nightly")
    void manyFiles_damaged_giveRowsOrAMessage() throws IOException {
        damaged(2_000_000, 1500);
    }

    private void damaged(long seed, int changes) throws IOException {
        for (String name : List.of("damaged.tar", "damaged.tar.gz")) {
            byte[] sound = Files.readAllBytes(write(name, samples()));
            Map<String, Integer> outcomes = FormatDamage.read(format, sound, folder.resolve(name), seed, changes);
            assertThat(outcomes).as(name).containsKey("refused");
        }
    }

    private void assertRefused(byte[] tar, Class<? extends RankfeedException> type, String what) {
        assertThatThrownBy(() -> ReadFile.all(format, write("a.tar", tar)))
                .isInstanceOf(type)
                .hasMessageContainingAll("a.tar", what);
    }
}
