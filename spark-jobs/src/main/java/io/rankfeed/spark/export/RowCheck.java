package io.rankfeed.spark.export;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Compares prepared rows with the checksums of the planned rows, so that an error of a reader or a changed file cannot give
 * a planned row the values of another. Travels to the tasks.
 *
 * @param checksums over the columns of the rows to check
 */
record RowCheck(RowChecksum checksums, List<String> preparedFiles) implements Serializable {
    /** Opens the check for one task. */
    Checking open() {
        return new Checking();
    }

    final class Checking {
        private final RowChecksum.Computation computation = checksums.open();

        /** @throws CorruptDataException if the values are not those of the planned row */
        void check(InternalRow row, int file, long plannedRow) {
            List<String> differing = computation.differing(row, plannedRow);
            if (!differing.isEmpty()) {
                throw new CorruptDataException(
                        preparedFiles.get(file) + ", row " + plannedRow,
                        "its checksum does not match its values (columns " + String.join(", ", differing)
                                + "): the file was changed, or its reader gave another row; remove the folder of this"
                                + " prepared table and run prepare again");
            }
        }
    }
}
