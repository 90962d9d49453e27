package io.rankfeed.importing.lane;

import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.Field;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes samples of an index to lanes. Its files are numbered as {@link DatasetIndex#files}. Not thread-safe. */
public final class ReferenceRows {
    private final DatasetIndex index;
    private final List<Field> fields;
    /** By part and field; null where the part lacks the field. */
    private final @Nullable Values[][] values;

    private final int[] firstFile;
    private final ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    public ReferenceRows(DatasetIndex index) {
        this.index = index;
        this.fields = index.schema().fields();
        this.firstFile = new int[index.parts().size()];
        this.values = new Values[firstFile.length][];
        int file = 0;
        for (int p = 0; p < firstFile.length; p++) {
            firstFile[p] = file;
            file = Math.addExact(file, index.parts().get(p).files().size());
            values[p] = values(index.indexed().get(p));
        }
    }

    private @Nullable Values[] values(IndexedPart part) {
        @Nullable Values[] found = new Values[fields.size()];
        for (IndexedColumn column : part.columns()) {
            for (int f = 0; f < found.length; f++) {
                if (fields.get(f).name().equals(column.name())) {
                    found[f] = column.values();
                }
            }
        }
        return found;
    }

    /** The number of the file that a sample's references are to; a column may be in one of those after it. */
    public int file(int part, long row) {
        return firstFile[part] + (index.indexed().get(part).hasFilePerRow() ? Math.toIntExact(row) : 0);
    }

    /** The number of a sample in its file. */
    public long rowInFile(int part, long row) {
        return index.indexed().get(part).hasFilePerRow() ? 0 : row;
    }

    /**
     * Writes a sample that is whole.
     *
     * @param lane of the {@linkplain io.rankfeed.schema.manifest.External#stored stored} schema
     */
    public void write(LaneWriter lane, long rowId, int part, long row) throws IOException {
        lane.beginRow(rowId, file(part, row), rowInFile(part, row));
        for (int f = 0; f < fields.size(); f++) {
            put(lane, f, values[part][f], row);
        }
        lane.endRow();
    }

    private void put(LaneWriter lane, int f, @Nullable Values of, long row) {
        Field field = fields.get(f);
        if (of instanceof Values.Numbers numbers && !numbers.isMissing(row)) {
            if (field.shape().rank() == 0) {
                lane.putBits(f, numbers.bits(row));
            } else {
                lane.putBytes(f, bytes.putLong(0, numbers.bits(row)).array(), 0, field.strideBytes());
            }
        } else if (of instanceof Values.Located located && located.length(row) != Values.MISSING) {
            if (field.kind() == Field.Kind.FIXED) {
                lane.putBits(f, located.offset(row));
            } else {
                bytes.putLong(0, located.offset(row)).putLong(Long.BYTES, located.length(row));
                lane.putBytes(f, bytes.array(), 0, 2 * Long.BYTES);
            }
        } else {
            lane.putMissing(f);
        }
    }
}
