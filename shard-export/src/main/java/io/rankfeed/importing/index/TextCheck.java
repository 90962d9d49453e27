package io.rankfeed.importing.index;

import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.schema.DType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Checks that strings are valid UTF-8, which formats do not ensure and readers of a version require. */
final class TextCheck {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final CharBuffer chars = CharBuffer.allocate(FileWindow.MAX_BYTES);

    private TextCheck() {}

    /**
     * Adds the samples of a part whose texts are invalid to its damage.
     *
     * @param names of columns; empty for all
     */
    static void run(IndexedPart part, Part files, DatasetRoot root, Set<String> names) throws IOException {
        for (IndexedColumn column : part.columns()) {
            boolean isFed = names.isEmpty() || names.contains(column.name());
            if (isFed && column.dtype() == DType.STRING && column.values() instanceof Values.Located values) {
                String path = files.files().get(column.file());
                try (OpenFile open = root.open(path)) {
                    new TextCheck().check(new FileWindow(open.bytes()), values, column.name(), path, part.damages());
                }
            }
        }
    }

    private void check(FileWindow file, Values.Located values, String column, String path, Damages damages) {
        for (long row = 0; row < values.rows(); row++) {
            if (values.length(row) > 0 && !damages.isDamaged(row)) {
                long invalid = invalid(file, values.offset(row), values.offset(row) + values.length(row));
                if (invalid >= 0) {
                    damages.addSample(row, path, invalid, "the text in column '" + column + "' is not valid UTF-8");
                }
            }
        }
    }

    /** Returns the offset of the first byte of a text that is invalid, -1 for none. */
    private long invalid(FileWindow file, long from, long end) {
        decoder.reset();
        long at = from;
        while (at < end) {
            ByteBuffer piece = file.read(at, (int) Math.min(FileWindow.MAX_BYTES, end - at));
            CoderResult result = decoder.decode(piece, chars.clear(), at + piece.limit() == end);
            at += piece.position();
            if (result.isError()) {
                return at;
            }
        }
        return -1;
    }
}
