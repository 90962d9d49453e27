package io.rankfeed.schema.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The exceptions are those of Hadoop 3.5; {@code StorageTest} and {@code HadoopStoreTest} make it throw them. */
class MissingClientTest {
    @ParameterizedTest
    @MethodSource
    void isAConfigurationErrorThatNamesClassAndJars(String address, Throwable failure, String missing, String remedy) {
        assertThat(MissingClient.of(address, failure, "add")).hasValueSatisfying(found -> assertThat(found)
                .hasMessageStartingWith(address + ": ")
                .hasMessageContaining(missing)
                .hasMessageContaining(remedy)
                .hasCause(failure));
    }

    static Stream<Arguments> isAConfigurationErrorThatNamesClassAndJars() {
        ClassNotFoundException s3a =
                new ClassNotFoundException("Class org.apache.hadoop.fs.s3a.S3AFileSystem not found");
        return Stream.of(
                Arguments.of(
                        "s3a://b/x",
                        new RuntimeException(s3a.toString(), s3a),
                        "class org.apache.hadoop.fs.s3a.S3AFileSystem is missing",
                        "add org.apache.hadoop:hadoop-aws of your Hadoop's version"),
                Arguments.of(
                        "abfs://c@a/x",
                        new NoClassDefFoundError("org/apache/hadoop/fs/azurebfs/AzureBlobFileSystem"),
                        "class org.apache.hadoop.fs.azurebfs.AzureBlobFileSystem is missing",
                        "add org.apache.hadoop:hadoop-azure"),
                Arguments.of(
                        "webhdfs://n/x",
                        new IOException("localhost:1: Response decoding failure: java.lang.RuntimeException:"
                                + " java.lang.ClassNotFoundException: org.apache.hadoop.shaded.org.glassfish.X"),
                        "class org.apache.hadoop.shaded.org.glassfish.X is missing",
                        "use the hdfs:// address"),
                Arguments.of(
                        "hdsf://n/x",
                        new IOException("No FileSystem for scheme \"hdsf\""),
                        "Hadoop knows no file system of this scheme",
                        "check the scheme 'hdsf'"));
    }

    @ParameterizedTest
    @MethodSource
    void anotherFailureIsNone(Throwable failure) {
        assertThat(MissingClient.of("hdfs://n/x", failure, "add")).isEmpty();
    }

    static Stream<Throwable> anotherFailureIsNone() {
        return Stream.of(
                new IOException("Connection refused"),
                new IllegalStateException("class cast"),
                new IOException(new IOException("No such file")));
    }
}
