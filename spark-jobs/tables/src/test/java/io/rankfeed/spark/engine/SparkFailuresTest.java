package io.rankfeed.spark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.spark.SparkException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.types.variant.VariantUtil;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;

class SparkFailuresTest {
    private static final String FILE = "hdfs://nn/in/part-1.parquet";

    static Stream<IOException> surroundings() {
        return Stream.of(
                new AccessControlException("Permission denied: user=x"),
                new AccessDeniedException(FILE),
                new FileNotFoundException(FILE + " (Permission denied)"),
                new ConnectException("Connection refused"),
                new SocketTimeoutException("Read timed out"),
                new UnknownHostException("nn"),
                new RemoteException(
                        "org.apache.hadoop.ipc.StandbyException", "Operation category READ is not supported"),
                new BlockMissingException(FILE, "Could not obtain block: BP-1:blk_2", 0),
                new IOException("Input/output error"));
    }

    @ParameterizedTest
    @MethodSource("surroundings")
    void failure_ofPermissionsOrNetwork_isNoDamageOfTheFile(IOException cause) {
        assertThat(SparkFailures.translated(unread(new IOException("while reading", cause))))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(FILE);
    }

    /** A time (17) is a primitive of the format's specification. */
    @Test
    void variants_ofOtherTypes_areUnsupported() {
        byte[] time = {17 << 2};
        Throwable unknown = catchThrowable(() -> VariantUtil.getType(time, 0));
        assertThat(SparkFailures.translated(unread(unknown)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(FILE + ": unsupported Parquet: ")
                .hasMessageContaining("primitive type with id 17");
    }

    static Stream<Throwable> damage() {
        return Stream.of(
                new ParquetDecodingException("Can not read value at 3"),
                new ParquetDecodingException(new IOException("FAILED_TO_UNCOMPRESS(5)")),
                new EOFException("Reached the end of stream with 7 bytes left to read"),
                new ChecksumException("Checksum error: " + FILE + " at 512", 512),
                new ArrayIndexOutOfBoundsException("Index 9 out of bounds for length 3"),
                new AssertionError("assertion failed: Invalid Parquet schema"));
    }

    @ParameterizedTest
    @MethodSource("damage")
    void bytes_undecodable_areDamageOfTheFile(Throwable cause) {
        assertThat(SparkFailures.translated(unread(cause)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(FILE);
    }

    @Test
    void decoder_outsideOfARead_namesNoFile() {
        IndexOutOfBoundsException thrown = new IndexOutOfBoundsException();
        thrown.setStackTrace(new StackTraceElement[] {
            new StackTraceElement(
                    "org.apache.parquet.column.values.dictionary.PlainValuesDictionary$PlainLongDictionary",
                    "decodeToLong",
                    "PlainValuesDictionary.java",
                    161)
        });

        assertThat(SparkFailures.translated(new SparkException("Job aborted due to stage failure", thrown)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessage("an input file: cannot be read: a number in it is out of its range; read the files one"
                        + " at a time to find it");
    }

    static Stream<Exception> clusters() {
        String aborted = "Job aborted due to stage failure: ";
        return Stream.of(
                new SparkException(aborted + "Task 3 in stage 2.0 failed 4 times, most recent failure: Lost task 3.3 in"
                        + " stage 2.0 (TID 9) (10.0.0.7 executor 4): ExecutorLostFailure (executor 4 exited caused by"
                        + " one of the running tasks) Reason: worker lost\nDriver stacktrace:"),
                new SparkException(aborted + "ShuffleMapStage 20 has failed the maximum allowable number of times: 4."
                        + " Most recent failure reason:\norg.apache.spark.shuffle.FetchFailedException: gone"),
                new SparkException(aborted + "Total size of serialized results of 9 tasks (1025.0 MiB) is bigger than"
                        + " spark.driver.maxResultSize (1024.0 MiB)"),
                new SparkException("Job 7 cancelled because SparkContext was shut down"),
                new IllegalStateException("Cannot call methods on a stopped SparkContext."));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void failure_ofTheCluster_isAnEnvironmentError(Exception failure) {
        RuntimeException known = SparkFailures.translated(failure);
        assertThat(known).isInstanceOf(EnvironmentException.class);
        assertThat(known.getMessage().lines()).hasSize(1);
    }

    @Test
    void metastore_lost_isNoFaultOfTheSql() {
        for (Throwable cause : List.of(new TTransportException(), new ConnectException("Connection refused"))) {
            assertThat(SparkFailures.translated(analysis(new RuntimeException(cause))))
                    .isInstanceOf(EnvironmentException.class);
        }
        assertThat(SparkFailures.translated(analysis(new RuntimeException("no such function"))))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void sql_nestedTooDeep_isToBeWrittenFlatter() {
        assertThat(SparkFailures.translated(new StackOverflowError()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("write it flatter");
    }

    @Test
    void memory_exhausted_isAnEnvironmentError() {
        assertThat(SparkFailures.translated(unread(new OutOfMemoryError("Java heap space"))))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("out of memory: OutOfMemoryError: Java heap space")
                .hasMessageContaining("--driver-memory")
                .hasMessageContaining("export.batch-rows");
        String reported =
                "Job aborted due to stage failure: Lost task 0.0 (executor 1): java.lang.OutOfMemoryError: Java heap space";
        assertThat(SparkFailures.translated(new SparkException(reported)))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("out of memory");
        assertThat(SparkFailures.translated(new OutOfMemoryError("unable to create native thread")))
                .hasMessageContaining("thread limit");
    }

    @Test
    void value_mentioningMemory_isNoLackOfIt() {
        String value =
                "Job aborted due to stage failure: the value 'java.lang.OutOfMemoryError: Java heap space' fits no number";
        assertThat(SparkFailures.translated(new SparkException(value, new IllegalArgumentException(value))))
                .isNotInstanceOf(EnvironmentException.class);
    }

    private static Exception analysis(Throwable cause) {
        return new AnalysisException(
                "_LEGACY_ERROR_TEMP_3065",
                new scala.collection.immutable.Map.Map2<>("clazz", "HiveException", "msg", "gone"),
                Option.apply(cause));
    }

    @Test
    void file_namedInATask_isKept() {
        CorruptDataException known = new CorruptDataException("a.jsonl:3", "is not JSON");
        assertThat(SparkFailures.translated(unread(known))).isSameAs(known);
    }

    private static SparkException unread(Throwable cause) {
        return new SparkException(
                "FAILED_READ_FILE.NO_HINT", new scala.collection.immutable.Map.Map1<>("path", FILE), cause);
    }
}
