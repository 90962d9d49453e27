package io.rankfeed.spark.prepare.pack;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.OpenSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** The files of the driving source, numbered as the manifest lists them, and the text that names a row in messages. */
public final class SourceIndex implements Serializable {
    private static final long serialVersionUID = 1L;

    private final ArrayList<String> names = new ArrayList<>();
    private final HashMap<String, Integer> numbers = new HashMap<>();

    public void add(OpenSource source) {
        for (SourceFile file : source.files()) {
            numbers.put(file.canonical(), names.size());
            names.add(source.name() + "/" + file.relative());
        }
    }

    public List<String> names() {
        return names;
    }

    /**
     * The number of a file.
     *
     * @param uri as a row's address has it
     */
    public int source(String uri) {
        Integer number = numbers.get(RowAddress.canonical(uri));
        if (number == null) {
            throw new EnvironmentException(
                    uri + " did not exist when the job started; inputs must not change while a job reads them");
        }
        return number;
    }

    public String name(int source) {
        return names.get(source);
    }

    /** Names a row for messages; {@code source} is the number of its file, -1 if the row is of no file. */
    public String row(int source, long row) {
        return source < 0 ? "the query's result" : names.get(source) + ", row " + row;
    }

    /** Names two rows for messages, in the order of file and row. */
    public String rows(int source, long row, int otherSource, long otherRow) {
        if (source < 0 || otherSource < 0) {
            return "the query's result";
        }
        boolean ordered = source != otherSource ? source < otherSource : row <= otherRow;
        return ordered
                ? row(source, row) + " and " + row(otherSource, otherRow)
                : row(otherSource, otherRow) + " and " + row(source, row);
    }
}
