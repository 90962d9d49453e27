package io.rankfeed.text.tokenizer;

import ai.djl.engine.EngineException;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.json.StrictJson;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether this process may open a tokenizer.json: its JSON is parsed, then a child process opens it. A file is checked once in the life of
 * a JVM.
 */
public final class TokenizerCheck {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final long MAX_OUTPUT_BYTES = 1 << 20;

    /** File and line in the library's source, and the next line, which is the reason. */
    private static final Pattern PANIC = Pattern.compile("panicked at (?:.*/)?([^/\\n]+:\\d+):\\d+:\\n([^\\n]+)");

    /** Environment variables with options of a JVM, such as the port of a debugger, which only one JVM can use. */
    private static final Set<String> OF_THIS_JVM = Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private static final String REMEDY =
            "; copy the model's tokenizer.json again, or write it again with the Python package tokenizers";

    /** SHA-256 of the files that passed. */
    private static final Set<String> PASSED = ConcurrentHashMap.newKeySet();

    private TokenizerCheck() {}

    /**
     * Checks a file.
     *
     * @param file for messages
     * @return its SHA-256
     * @throws CorruptDataException if it is not a tokenizer that the library opens
     * @throws EnvironmentException if no child process can be started here
     */
    public static String pass(String file, byte[] bytes) {
        return pass(file, bytes, DEADLINE);
    }

    static String pass(String file, byte[] bytes, Duration deadline) {
        String sha256 = Sha256.hex(bytes);
        if (!PASSED.contains(sha256)) {
            StrictJson.requireObject(bytes, file);
            openInChild(file, bytes, deadline);
            PASSED.add(sha256);
        }
        return sha256;
    }

    private static void openInChild(String file, byte[] bytes, Duration deadline) {
        try {
            Path folder = Files.createTempDirectory("rankfeed-tokenizer-");
            try {
                Path copy = Files.write(folder.resolve("tokenizer.json"), bytes);
                Path output = folder.resolve("output");
                ProcessBuilder child = new ProcessBuilder(command(folder, copy, bytes.length))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
                child.environment().keySet().removeAll(OF_THIS_JVM);
                int exitCode = exitCode(child.start(), file, deadline);
                String message = Files.size(output) > MAX_OUTPUT_BYTES
                        ? ""
                        : new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
                refuse(exitCode, file, reason(message));
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("cannot check " + file + " in a process of its own", e)
                            + "; it needs room in java.io.tmpdir and the right to start processes",
                    e);
        }
    }

    private static List<String> command(Path folder, Path copy, int fileBytes) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // The file's bytes, and its text.
                "-Xmx" + (64 + ((4L * fileBytes) >> 20)) + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash"),
                "-Djava.io.tmpdir=" + folder,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                TokenizerChild.class.getName(),
                copy.toString());
    }

    /**
     * The files from which this JVM loaded the classes that the child needs: the jar of the jobs, or folders of
     * classes.
     */
    private static String classPath() {
        return Stream.of(TokenizerChild.class, TokenizersLibrary.class, EngineException.class, RankfeedException.class)
                .map(TokenizerCheck::file)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String file(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            if (source != null) {
                return Path.of(source.getLocation().toURI()).toString();
            }
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            // Reported below.
        }
        throw new EnvironmentException("cannot check a tokenizer in a process of its own: " + type.getName() + " is in "
                + (source == null ? "no file" : source.getLocation()) + "; submit the jar of the jobs as a file");
    }

    private static int exitCode(Process child, String file, Duration deadline) {
        try {
            if (child.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                return child.exitValue();
            }
            throw new CorruptDataException(
                    file, "is not opened within " + deadline.toMillis() + " ms by the tokenizers library" + REMEDY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while " + file + " was checked", e);
        } finally {
            child.destroyForcibly().onExit().join();
        }
    }

    private static void refuse(int exitCode, String file, String reason) {
        if (exitCode == TokenizerChild.INVALID) {
            throw new CorruptDataException(file, "is not a tokenizer.json: " + reason + REMEDY);
        } else if (exitCode == 134 || exitCode == 136 || exitCode == 139) {
            throw new CorruptDataException(
                    file, "is a tokenizer.json on which the tokenizers library crashes (" + reason + ")" + REMEDY);
        } else if (exitCode != 0) {
            throw new EnvironmentException("cannot check " + file + " in a process of its own: it ended with exit code "
                    + exitCode + ": " + reason);
        }
    }

    private static String reason(String output) {
        Matcher panic = PANIC.matcher(output);
        if (panic.find()) {
            return panic.group(1) + ": " + panic.group(2).strip();
        }
        return output.lines().filter(line -> !line.isBlank()).reduce("no output", (first, last) -> last);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
        }
        Files.delete(folder);
    }
}
