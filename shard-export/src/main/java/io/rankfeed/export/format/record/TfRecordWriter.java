package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A record: u64 length, u32 checksum of these 8 bytes, the example, u32 checksum of the example. */
final class TfRecordWriter implements FormatWriter {
    private static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;
    private static final int MASK = 0xa282ead8;

    private final FileSet set;
    private final Part part;
    private final PartFiles files;
    private final ExampleFields example;
    private final boolean indexed;
    private final List<FormatFile> written = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private final ByteBuilder head = new ByteBuilder();
    private final ByteBuilder line = new ByteBuilder();
    private @Nullable CountedFile file;
    private @Nullable CountedFile index;
    private int shards;
    private long rows;

    TfRecordWriter(FileSet set, Part part, PartFiles files) {
        this.set = set;
        this.part = part;
        this.files = files;
        this.example = new ExampleFields(set.schema(), TfRecord.rawTensors(set));
        this.indexed = TfRecord.index(set);
    }

    @Override
    public void row(FormatRow row) throws IOException {
        ByteBuilder fields = example.of(row);
        head.clear();
        head.putLong(0).putInt(0);
        ExampleFields.putHead(1, fields.size(), head);
        int exampleHead = head.size() - HEAD_BYTES;
        long length = (long) exampleHead + fields.size();
        long recordBytes = HEAD_BYTES + length + Integer.BYTES;
        CountedFile out = file(recordBytes);
        line.clear();
        line.putAscii(Long.toString(out.position())).put((byte) ' ').putAscii(Long.toString(recordBytes));
        head.setLong(0, length);
        crc.reset();
        crc.update(head.array(), 0, Long.BYTES);
        head.setInt(Long.BYTES, masked());
        crc.reset();
        crc.update(head.array(), HEAD_BYTES, exampleHead);
        crc.update(fields.array(), 0, fields.size());
        fields.putInt(masked());
        out.write(head);
        out.write(fields);
        if (index != null) {
            index.write(line.put((byte) '\n'));
        }
        rows++;
    }

    @Override
    public PartSummary finish() throws IOException {
        if (written.isEmpty()) {
            // Without rows, so that the folder of the split exists.
            file(0);
        }
        endFile();
        return PartSummary.of(part.index(), written);
    }

    @Override
    public void close() throws IOException {
        try {
            if (file != null) {
                file.close();
            }
        } finally {
            if (index != null) {
                index.close();
            }
        }
    }

    private int masked() {
        int value = (int) crc.getValue();
        return Integer.rotateRight(value, 15) + MASK;
    }

    private CountedFile file(long recordBytes) throws IOException {
        long limit = set.options().shardBytes();
        if (file != null && limit > 0 && file.position() + recordBytes > limit) {
            endFile();
        }
        if (file == null) {
            file = new CountedFile(files, set.shardPath("", part.index(), shards, ".tfrecord"));
            if (indexed) {
                index = new CountedFile(files, set.shardPath("", part.index(), shards, ".tfindex"));
            }
            shards++;
        }
        return file;
    }

    private void endFile() throws IOException {
        if (file != null) {
            written.add(file.publish(rows));
            file.close();
            file = null;
        }
        if (index != null) {
            written.add(index.publish(-1));
            index.close();
            index = null;
        }
        rows = 0;
    }
}
