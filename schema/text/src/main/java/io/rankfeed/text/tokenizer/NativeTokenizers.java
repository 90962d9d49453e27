package io.rankfeed.text.tokenizer;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Hugging Face's tokenizers, which are native code: brought out of the jar once a JVM, never downloaded. (The library's
 * own loader is not used: it keeps files under the user's home and asks a server on machines with CUDA.)
 */
final class NativeTokenizers {
    private static @Nullable TokenizersLibrary loaded;

    private NativeTokenizers() {}

    /** @throws EnvironmentException if there is none for this machine, or it cannot be loaded */
    static synchronized TokenizersLibrary library() {
        if (loaded == null) {
            load();
            loaded = TokenizersLibrary.LIB;
        }
        return loaded;
    }

    private static void load() {
        String machine = machine();
        try (InputStream library =
                NativeTokenizers.class.getResourceAsStream("/native/lib/" + machine + "/cpu/libtokenizers.so")) {
            if (library == null) {
                throw new EnvironmentException("the tokenizers library is not built for " + machine
                        + "; run jobs that tokenize on Linux, x86_64 or aarch64");
            }
            Path file = Files.createTempFile("rankfeed-tokenizers-", ".so");
            try {
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
                System.load(file.toString());
            } finally {
                // What is loaded stays mapped.
                Files.deleteIfExists(file);
            }
        } catch (IOException | UnsatisfiedLinkError e) {
            throw new EnvironmentException(
                    "cannot load the tokenizers library: " + e.getMessage()
                            + "; it is written to java.io.tmpdir, where there must be room for 16 MiB and no noexec",
                    e);
        }
    }

    private static String machine() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "");
        return (system.startsWith("linux") ? "linux" : system) + "-"
                + (processor.equals("amd64") ? "x86_64" : processor);
    }
}
