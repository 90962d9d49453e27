package io.rankfeed.importing.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrowDamageTest {
    private static final Path FOLDER = Path.of("src/test/resources/foreign");

    @TempDir
    Path folder;

    /** Each word of an Arrow file, among them all lengths and offsets, is replaced by a number that is larger than the file. */
    @Test
    void arrow_largeNumberAnywhere_isFoundOrHarmless() throws IOException {
        Path file = folder.resolve("a.arrow");
        byte[] whole = Files.readAllBytes(FOLDER.resolve("arrow/cache.arrow"));
        long damagedSamples = 0;
        for (int at = 0; at < whole.length; at += Integer.BYTES) {
            byte[] damaged = whole.clone();
            ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(at, Integer.MAX_VALUE);
            Files.write(file, damaged);
            try {
                ForeignDamageTest.requireInBounds(folder);
                IndexedPart part = ForeignDamageTest.index(folder, 0);
                damagedSamples += part.rows() - part.wholeRows();
            } catch (RankfeedException e) {
                assertThat(e.getMessage()).contains(file.toString());
            }
        }
        assertThat(damagedSamples).isPositive();
    }

    /** A schema of 10 fields in which each has the next one 16 times as a child. */
    @Test
    void arrow_fieldsThatShareChildren_areCounted() throws IOException {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int field = 0;
        for (int level = 0; level < 10; level++) {
            int[] children = new int[level == 0 ? 0 : 16];
            Arrays.fill(children, field);
            int vector = Field.createChildrenVector(builder, children);
            int name = builder.createString("a");
            Struct_.startStruct_(builder);
            int type = Struct_.endStruct_(builder);
            field = Field.createField(builder, name, false, Type.Struct_, type, 0, vector, 0);
        }
        writeSchema(builder, field);

        assertThatThrownBy(() -> ForeignDamageTest.index(folder, 0))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("the schema is not a valid flatbuffer");
    }

    /** A record batch has the indices of such lists, and not the lists. */
    @Test
    void arrow_listsInADictionary_areUnsupported() throws IOException {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int none = Field.createChildrenVector(builder, new int[0]);
        int item = builder.createString("item");
        int number = Int.createInt(builder, 32, true);
        int child = Field.createField(builder, item, false, Type.Int, number, 0, none, 0);
        int children = Field.createChildrenVector(builder, new int[] {child});
        int name = builder.createString("a");
        int list = FixedSizeList.createFixedSizeList(builder, 2);
        int dictionary = DictionaryEncoding.createDictionaryEncoding(builder, 0, 0, false, (short) 0);
        writeSchema(
                builder, Field.createField(builder, name, false, Type.FixedSizeList, list, dictionary, children, 0));

        assertThat(ForeignDamageTest.index(folder, 0).refused())
                .containsEntry("a", "values of type dictionary are unsupported");
    }

    private void writeSchema(FlatBufferBuilder builder, int field) throws IOException {
        int fields = Schema.createFieldsVector(builder, new int[] {field});
        int schema = Schema.createSchema(builder, Endianness.Little, fields, 0, 0);
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
        byte[] message = builder.sizedByteArray();
        ByteBuffer file = ByteBuffer.allocate(8 + message.length).order(ByteOrder.LITTLE_ENDIAN);
        Files.write(
                folder.resolve("a.arrow"),
                file.putInt(-1).putInt(message.length).put(message).array());
    }
}
