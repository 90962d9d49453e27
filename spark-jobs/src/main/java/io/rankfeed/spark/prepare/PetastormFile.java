package io.rankfeed.spark.prepare;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.export.petastorm.CommonMetadata;
import io.rankfeed.export.petastorm.PetastormTable;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Writes what makes the data folder a Petastorm dataset. */
final class PetastormFile {
    private static final String FOLDER = "data/";

    private PetastormFile() {}

    /** @param files of the table, one row group each */
    static WrittenFile write(
            ArtifactAttempt folder, Configuration conf, String dataset, SampleSchema schema, List<WrittenFile> files) {
        TreeSet<String> names = new TreeSet<>();
        files.forEach(file -> names.add(file.path().substring(FOLDER.length())));
        Path first = new Path(folder.path(), files.get(0).path());
        try {
            byte[] footer = footer(first, files.get(0).lengthBytes(), conf);
            return folder.write(
                    FOLDER + CommonMetadata.FILE_NAME,
                    CommonMetadata.of(PetastormTable.unischema(dataset, schema), footer, names));
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("cannot write " + CommonMetadata.FILE_NAME + " beside " + first, e), e);
        }
    }

    private static byte[] footer(Path file, long lengthBytes, Configuration conf) throws IOException {
        try (FSDataInputStream in = Storage.of(file, conf).open(file)) {
            ParquetTail tail = ParquetTail.of(in::readFully, file.toString(), lengthBytes);
            byte[] footer = new byte[(int) (tail.footerEnd() - tail.footerStart())];
            in.readFully(tail.footerStart(), footer);
            return footer;
        }
    }
}
