package io.rankfeed.feeder.supervise;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
    @TempDir
    private Path folder;

    @Test
    void program_inSearchPathOrByPath_isFound() throws IOException {
        Path program = program("my trainer é", "rwx------");
        String searchPath = "/nowhere:" + folder;
        assertThatCode(() -> Program.require("my trainer é", searchPath)).doesNotThrowAnyException();
        assertThatCode(() -> Program.require(program.toString(), "")).doesNotThrowAnyException();
    }

    @Test
    void program_missingOrNotExecutable_isRefused() throws IOException {
        Path text = program("notes", "rw-------");
        refused("torchrun", "no 'torchrun' on the PATH; activate");
        refused("notes", "no 'notes' on the PATH");
        refused(folder.resolve("none").toString(), "no file " + folder.resolve("none"));
        refused(folder.toString(), "no file " + folder);
        refused(text.toString(), "is not executable; run chmod +x");
    }

    private void refused(String name, String message) {
        assertThatThrownBy(() -> Program.require(name, folder.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private Path program(String name, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
