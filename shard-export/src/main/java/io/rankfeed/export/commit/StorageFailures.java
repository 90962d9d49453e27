package io.rankfeed.export.commit;

import java.io.FileNotFoundException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** Distinguishes storage that cannot be reached from damaged files, by the causes of an exception. */
public final class StorageFailures {
    private static final int MAX_DEPTH = 20;

    /** Compared by name: Spark loads Hive's classes with another class loader. Parquet's copy of the class means damage. */
    private static final String THRIFT = "org.apache.thrift.transport.TTransportException";

    private StorageFailures() {}

    /** Whether a read failed because of permissions, the network or a missing file, and not because of the bytes. */
    public static boolean isUnavailable(Throwable thrown) {
        return causes(thrown)
                .anyMatch(at -> at instanceof AccessControlException
                        || at instanceof AccessDeniedException
                        || at instanceof FileNotFoundException
                        || at instanceof NoSuchFileException
                        || at instanceof SocketException
                        || at instanceof UnknownHostException
                        || at instanceof InterruptedIOException
                        || at instanceof RemoteException
                        || at instanceof BlockMissingException
                        || at.getClass().getName().equals(THRIFT));
    }

    /** The exception and its causes, at most {@value #MAX_DEPTH}. */
    public static Stream<Throwable> causes(Throwable thrown) {
        return Stream.<@Nullable Throwable>iterate(thrown, at -> at == null ? null : at.getCause())
                .limit(MAX_DEPTH)
                .takeWhile(Objects::nonNull)
                .map(Objects::requireNonNull);
    }

    /** The first line of the message that is not blank; the class name if there is none. */
    public static String firstLine(Throwable at) {
        return Objects.toString(at.getMessage(), "")
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse(at.getClass().getSimpleName());
    }
}
