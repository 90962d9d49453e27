package io.rankfeed.schema.failure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Describes why an input or output operation failed. The message of many of Java's exceptions is the path alone; others
 * name no path.
 */
public final class IoReason {
    private static final int MAX_CAUSES = 8;

    /** Exceptions whose class is the reason. */
    private static final Map<Class<?>, String> KINDS = Map.of(
            AccessDeniedException.class, "permission denied",
            NoSuchFileException.class, "no such file or directory",
            FileAlreadyExistsException.class, "the file exists",
            NotDirectoryException.class, "not a directory",
            DirectoryNotEmptyException.class, "the directory is not empty",
            FileSystemLoopException.class, "a loop of symbolic links",
            NotLinkException.class, "not a symbolic link");

    private IoReason() {}

    /** The reason of a failure whose operation is unknown. */
    public static String of(Throwable failure) {
        return withRemedy(words("", failure), failure);
    }

    /**
     * A message of the form {@code what: why}.
     *
     * @param what the operation and its path, as in {@code "cannot lock /cache/x"}
     */
    public static String of(String what, Throwable failure) {
        return withRemedy(what + ": " + words(what, failure), failure);
    }

    /** A message for an operation that writes to a local file or folder. For a full disk it has the free bytes. */
    public static String of(String what, Path written, Throwable failure) {
        return withRemedy(what + ": " + words(what, failure) + free(written, failure), failure);
    }

    private static String words(String what, Throwable thrown) {
        Throwable failure =
                thrown instanceof UncheckedIOException ? Objects.requireNonNullElse(thrown.getCause(), thrown) : thrown;
        String kind = KINDS.get(failure.getClass());
        if (!(failure instanceof FileSystemException at)) {
            return text(failure);
        }
        String words = kind != null ? kind : reason(at);
        String file = at.getFile();
        boolean isNamed = file == null || names(what, file) || names(words, file);
        return isNamed ? words : file + ": " + words;
    }

    /** Whether a text has a path as a whole, not as the folder of a longer one. */
    private static boolean names(String text, String path) {
        int end = text.lastIndexOf(path) + path.length();
        return text.contains(path) && (end == text.length() || text.charAt(end) != '/');
    }

    private static String reason(FileSystemException e) {
        String reason = e.getReason();
        return reason == null || reason.isBlank() ? e.getClass().getSimpleName() : reason;
    }

    private static String text(Throwable failure) {
        return Objects.requireNonNullElse(failure.getMessage(), "")
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse(failure.getClass().getSimpleName());
    }

    private static String free(Path written, Throwable failure) {
        if (!isDiskFull(failure)) {
            return "";
        }
        return free(written);
    }

    /** The free bytes of the file system of a path, to append to a message. */
    public static String free(Path path) {
        for (Path at = path.toAbsolutePath(); at != null; at = at.getParent()) {
            try {
                return String.format(
                        Locale.ROOT,
                        ", %,d bytes are free in the file system of %s",
                        Files.getFileStore(at).getUsableSpace(),
                        at);
            } catch (IOException e) {
                // The file itself may be missing; its folder is on the same file system.
            }
        }
        return "";
    }

    /** Whether a disk is full. */
    public static boolean isDiskFull(Throwable failure) {
        return says(failure, "No space left on device");
    }

    /** The message of a cause may have the remedy already. */
    private static String withRemedy(String message, Throwable failure) {
        String remedy = remedy(failure);
        return message.contains(remedy) ? message : message + remedy;
    }

    /** Returns the advice for a system error that the path does not explain; empty for other errors. */
    private static String remedy(Throwable failure) {
        if (says(failure, "Too many open files")) {
            return "; " + ResourceLimit.OPEN_FILES + "; " + ResourceLimit.OPEN_FILES.remedy("65536");
        } else if (says(failure, "File too large")) {
            return "; " + ResourceLimit.FILE_SIZE + "; " + ResourceLimit.FILE_SIZE.remedy("");
        } else if (says(failure, "Map failed")) {
            return "; " + ResourceLimit.ADDRESS_SPACE
                    + ", and sysctl vm.max_map_count limits the number of mapped files";
        } else if (says(failure, "Disk quota exceeded")) {
            return "; free some of this user's files there, or choose another folder";
        } else if (isDiskFull(failure)) {
            return "; make room, or choose another folder";
        }
        return "";
    }

    /** The reason and remedy if an unexpected failure is due to a limit or a full disk; else empty. */
    static Optional<String> ofResource(Throwable failure) {
        return remedy(failure).isEmpty() ? Optional.empty() : Optional.of(withRemedy(text(failure), failure));
    }

    private static boolean says(Throwable failure, String words) {
        Throwable at = failure;
        for (int i = 0; at != null && i < MAX_CAUSES; at = at.getCause(), i++) {
            if (at instanceof IOException && String.valueOf(at.getMessage()).contains(words)) {
                return true;
            }
        }
        return false;
    }
}
