package io.rankfeed.importing.select;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.FileWindow;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The short texts of a column, each different one kept once. */
final class TextStrata {
    static final int MAX_TEXT_BYTES = 256;

    private static final int MISSING = -1;

    private final DatasetIndex index;
    private final DatasetRoot root;
    private final String column;
    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    /** By part and sample, the number of its text. */
    private final List<int[]> numberOf = new ArrayList<>();

    /** @throws ConfigException if a text is too long, or there are too many */
    TextStrata(DatasetIndex index, DatasetRoot root, String column) {
        this.index = index;
        this.root = root;
        this.column = column;
        for (int part = 0; part < index.parts().size(); part++) {
            numberOf.add(read(part));
        }
    }

    private int[] read(int part) {
        IndexedPart indexed = index.indexed().get(part);
        int[] found = new int[(int) indexed.rows()];
        Arrays.fill(found, MISSING);
        Optional<IndexedColumn> in = indexed.column(column);
        if (in.isEmpty() || !(in.get().values() instanceof Values.Located values)) {
            return found;
        }
        String path = index.parts().get(part).files().get(in.get().file());
        try (OpenFile open = root.open(path)) {
            FileWindow file = new FileWindow(open.bytes());
            for (int row = 0; row < found.length; row++) {
                if (!indexed.damages().isDamaged(row) && values.length(row) != Values.MISSING) {
                    found[row] = number(file, values, row, path);
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot close " + root.shown(path), e), e);
        }
        return found;
    }

    private int number(FileWindow file, Values.Located values, int row, String path) {
        long bytes = values.length(row);
        if (bytes == 0) {
            throw new ConfigException(root.shown(path) + ": sample " + row + " has an empty text in column '" + column
                    + "', and a stratum needs a name; choose another column, or a JSON file with names");
        } else if (bytes > MAX_TEXT_BYTES) {
            throw new ConfigException(root.shown(path) + ", byte " + values.offset(row) + ": sample " + row + " has "
                    + bytes + " bytes in column '" + column + "'; a stratum has at most " + MAX_TEXT_BYTES
                    + ", choose another column");
        }
        String text = StandardCharsets.UTF_8
                .decode(file.read(values.offset(row), (int) bytes))
                .toString();
        Integer number = numbers.putIfAbsent(text, texts.size());
        if (number == null) {
            texts.add(text);
            SampleLists.requireCount(texts.size(), "column '" + column + "'");
            return texts.size() - 1;
        }
        return number;
    }

    String value(int part, long row) {
        int number = numberOf.get(part)[(int) row];
        if (number == MISSING) {
            throw new ConfigException("sample " + row + " of "
                    + root.shown(index.parts().get(part).files().get(0)) + " has no value in column '" + column
                    + "', which strata require; choose another column");
        }
        return texts.get(number);
    }
}
