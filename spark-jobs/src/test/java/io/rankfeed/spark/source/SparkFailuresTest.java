package io.rankfeed.spark.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.util.stream.Stream;
import org.apache.hadoop.security.AccessControlException;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SparkFailuresTest {
    private static final String FILE = "hdfs://nn/in/part-1.parquet";

    static Stream<IOException> surroundings() {
        return Stream.of(
                new AccessControlException("Permission denied: user=x"),
                new AccessDeniedException(FILE),
                new FileNotFoundException(FILE + " (Permission denied)"),
                new ConnectException("Connection refused"),
                new SocketTimeoutException("Read timed out"),
                new UnknownHostException("nn"));
    }

    @ParameterizedTest
    @MethodSource("surroundings")
    void rightsAndTheNetworkAreNoDamageOfTheFile(IOException cause) {
        assertThat(SparkFailures.translated(unread(new IOException("while reading", cause))))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(FILE);
    }

    @Test
    void bytesThatCannotBeDecodedAreDamageOfTheFile() {
        assertThat(SparkFailures.translated(unread(new ParquetDecodingException("Can not read value at 3"))))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(FILE)
                .hasMessageContaining("Can not read value at 3");
    }

    @Test
    void whoeverNamedTheFileInATaskIsBelieved() {
        CorruptDataException known = new CorruptDataException("a.jsonl:3", "is no JSON");
        assertThat(SparkFailures.translated(unread(known))).isSameAs(known);
    }

    private static SparkException unread(Throwable cause) {
        return new SparkException(
                "FAILED_READ_FILE.NO_HINT", new scala.collection.immutable.Map.Map1<>("path", FILE), cause);
    }
}
