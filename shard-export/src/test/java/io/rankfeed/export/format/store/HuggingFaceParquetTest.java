package io.rankfeed.export.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.testing.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files in place of Arrow files. {@link StorePeersTest} reads them with the library. */
class HuggingFaceParquetTest {
    private static final FormatOptions PARQUET = FormatOptions.none().with("files", "parquet");

    @TempDir
    private Path folder;

    @Test
    void parquetJava_readsEveryValueOfEveryType() throws IOException {
        DrawnRows drawn = DrawnRows.of(DrawnRows.schema(field -> true), 220, Seed.of(HuggingFaceParquetTest.class));
        WrittenSet written = write(drawn, 150);

        assertThat(written.files().published())
                .containsOnlyKeys(
                        "train/data-00000-of-00002.parquet",
                        "train/data-00001-of-00002.parquet",
                        "train_metadata.json");
        int row = compare(drawn, 0, "train/data-00000-of-00002.parquet");
        assertThat(row).isEqualTo(150);
        assertThat(compare(drawn, row, "train/data-00001-of-00002.parquet")).isEqualTo(220);
        assertThat(written.parts())
                .extracting(part -> part.files().get(0).rows())
                .containsExactly(150L, 70L);
    }

    @Test
    void footer_hasTheFeatures_andTheArrowSchemaOfTheArrowFiles() throws IOException {
        DrawnRows drawn = DrawnRows.of(DrawnRows.schema(field -> true), 3, 1);
        write(drawn, 3);

        ParquetMetadata footer = footer("train/data-00000-of-00001.parquet");
        Map<String, String> values = footer.getFileMetaData().getKeyValueMetaData();
        assertThat(values.get("huggingface")).isEqualTo(new ArrowFeatures(drawn.schema()).metadata());
        byte[] message = Base64.getDecoder().decode(values.get("ARROW:schema"));
        Schema schema = MessageSerializer.deserializeSchema(
                new ReadChannel(Channels.newChannel(new ByteArrayInputStream(message))));
        assertThat(schema.getFields())
                .extracting(org.apache.arrow.vector.types.pojo.Field::getName)
                .isEqualTo(drawn.schema().names());
        assertThat(schema.findField("box_int32").toString())
                .isEqualTo("box_int32: FixedSizeList(2)<item: FixedSizeList(3)<item: Int(32, true)>>");
    }

    /** Of several encodings, the footer's list would have the order of identity hashes. */
    @Test
    void bytes_areEqual_asEachColumnHasOneEncoding() throws IOException {
        DrawnRows drawn = DrawnRows.of(DrawnRows.schema(field -> true), 30, 1);

        assertThat(write(drawn, 30).files().digests())
                .isEqualTo(write(drawn, 30).files().digests());
        assertThat(footer("train/data-00000-of-00001.parquet").getBlocks())
                .flatExtracting(group -> group.getColumns())
                .allSatisfy(column -> assertThat(column.getEncodings()).hasSize(1));
    }

    @Test
    void split_withoutRows_isOneFileWithTheColumns() throws IOException {
        DrawnRows drawn = StoreFiles.rows(DrawnRows.schema(field -> true), List.of());
        write(drawn, 1);

        assertThat(compare(drawn, 0, "train/data-00000-of-00001.parquet")).isZero();
        assertThat(footer("train/data-00000-of-00001.parquet").getFileMetaData().getSchema())
                .isEqualTo(new ParquetColumns(drawn.schema()).type());
    }

    @Test
    void options_thatCannotBe_areRefused() {
        DrawnRows none = StoreFiles.rows(DrawnRows.schema(field -> field.dtype() == DType.INT8), List.of());
        assertRefused(
                WrittenSet.set(none, 1, new FormatOptions(0, 1 << 20, Map.of("files", "parquet"))),
                "files: parquet cannot be combined with shard-bytes");
        assertRefused(
                WrittenSet.set(none, 1, FormatOptions.none().with("files", "csv")),
                "format huggingface: files: 'csv' must be one of arrow, parquet");
    }

    private static void assertRefused(FileSet set, String message) {
        assertThatThrownBy(() -> new HuggingFace().check(set))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private WrittenSet write(DrawnRows drawn, int partRows) throws IOException {
        WrittenSet written = WrittenSet.of(new HuggingFace(), WrittenSet.set(drawn, partRows, PARQUET), drawn);
        written.files().copyTo(folder);
        return written;
    }

    private ParquetMetadata footer(String path) throws IOException {
        try (ParquetFileReader file = ParquetFileReader.open(new LocalInputFile(folder.resolve(path)))) {
            return file.getFooter();
        }
    }

    /** Compares the rows of a file with the drawn ones from {@code row} on. @return the row after the last */
    private int compare(DrawnRows drawn, int row, String path) throws IOException {
        int next = row;
        try (ParquetReader<Group> reader = new ParquetReader.Builder<Group>(
                new LocalInputFile(folder.resolve(path)), new PlainParquetConfiguration()) {
            @Override
            protected ReadSupport<Group> getReadSupport() {
                return new GroupReadSupport();
            }
        }.build()) {
            for (Group found = reader.read(); found != null; found = reader.read()) {
                for (int field = 0; field < drawn.schema().fields().size(); field++) {
                    Field declared = drawn.schema().fields().get(field);
                    assertThat(packed(found, declared))
                            .as("%s of row %s", declared, next)
                            .isEqualTo(drawn.values().get(next).get(field));
                }
                next++;
            }
        }
        return next;
    }

    /** A value of Parquet as the bytes of a sample. */
    private static byte @Nullable [] packed(Group row, Field field) {
        if (row.getFieldRepetitionCount(field.name()) == 0) {
            return null;
        } else if (field.kind() == Field.Kind.BYTES) {
            return row.getBinary(field.name(), 0).getBytes();
        } else if (field.kind() == Field.Kind.LIST) {
            Group list = row.getGroup(field.name(), 0);
            List<byte[]> items = new ArrayList<>();
            for (int item = 0; item < list.getFieldRepetitionCount("list"); item++) {
                items.add(list.getGroup("list", item).getBinary("element", 0).getBytes());
            }
            return PackedList.of(items);
        }
        ByteBuffer buffer = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        append(row, field.name(), field.dtype(), buffer);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static void append(Group group, String name, DType dtype, ByteBuffer to) {
        if (!group.getType().getType(name).isPrimitive()) {
            Group list = group.getGroup(name, 0);
            for (int item = 0; item < list.getFieldRepetitionCount("list"); item++) {
                append(list.getGroup("list", item), "element", dtype, to);
            }
            return;
        }
        PrimitiveTypeName type = group.getType().getType(name).asPrimitiveType().getPrimitiveTypeName();
        switch (type) {
            case BOOLEAN -> to.put((byte) (group.getBoolean(name, 0) ? 1 : 0));
            case FLOAT -> to.putFloat(group.getFloat(name, 0));
            case DOUBLE -> to.putDouble(group.getDouble(name, 0));
            case FIXED_LEN_BYTE_ARRAY -> to.put(group.getBinary(name, 0).getBytes());
            case INT64 -> to.putLong(group.getLong(name, 0));
            case INT32 -> {
                int value = group.getInteger(name, 0);
                switch (dtype.sizeBytes()) {
                    case 1 -> to.put((byte) value);
                    case 2 -> to.putShort((short) value);
                    default -> to.putInt(value);
                }
            }
            default -> throw new AssertionError(type);
        }
    }
}
