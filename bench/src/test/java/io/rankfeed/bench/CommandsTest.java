package io.rankfeed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.RankfeedFeeder;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.spark.RankfeedJobs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Compares completion and reference with the commands; -Drankfeed.write writes them again. */
class CommandsTest {
    private static final Path OPTIONS = Path.of("../gpu-feeder/python/src/rankfeed_cli/options.json");
    private static final Path REFERENCE = Path.of("../docs/reference/commands.md");
    private static final String HEAD = """
            # Commands

            What `rankfeed COMMAND --help` prints. In a checkout the command is `./rankfeed`. `inspect` and `simulate` are in both
            parts: only the Spark part simulates job files, and only the feeder measures batches. `rankfeed completion bash` and
            `zsh` print a script for a shell. `rankfeed docs PAGE` prints the path of an installed page of this documentation, and
            `--open` opens it in a browser.
            """;

    @Test
    void completion_everyOption_isKnown() throws IOException {
        Map<String, TreeSet<String>> options = new TreeMap<>();
        for (CommandLine program : programs()) {
            program.getSubcommands().forEach((name, command) -> command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> options.computeIfAbsent(name, key -> new TreeSet<>())
                            .add(option.longestName())));
        }
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        options.forEach((command, names) -> {
            ArrayNode list = all.putArray(command);
            names.forEach(list::add);
        });
        compare(OPTIONS, new String(CanonicalJson.indented(all), StandardCharsets.UTF_8));
    }

    @Test
    void reference_commands_equalHelp() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        Stream.of("Spark part", "Feeder").forEach(part -> {
            CommandLine program = programs()[part.equals("Feeder") ? 1 : 0];
            page.append("\n## ").append(part).append("\n");
            program.getSubcommands().forEach((name, command) -> page.append("\n### ")
                    .append(name)
                    .append("\n\n```text\n")
                    .append(command.getUsageMessage(Ansi.OFF).stripTrailing())
                    .append("\n```\n"));
        });
        compare(REFERENCE, page.toString());
    }

    /** Examples and lists must fit, as picocli would wrap them; it may wrap prose. */
    @Test
    void help_lines_fit100Columns() {
        for (CommandLine program : programs()) {
            Stream.concat(Stream.of(program), program.getSubcommands().values().stream())
                    .forEach(command -> {
                        assertThat(command.getUsageMessage(Ansi.OFF).lines()).allMatch(line -> line.length() <= 100);
                        CommandLine.Model.UsageMessageSpec usage =
                                command.getCommandSpec().usageMessage();
                        assertThat(Stream.of(usage.footer(), usage.description())
                                        .flatMap(Stream::of))
                                .filteredOn(line -> line.startsWith(" "))
                                .allMatch(line -> line.length() <= 100);
                    });
        }
    }

    private static CommandLine[] programs() {
        return new CommandLine[] {RankfeedJobs.commandLine(), RankfeedFeeder.commandLine()};
    }

    private static void compare(Path file, String wanted) throws IOException {
        if (System.getProperty("rankfeed.write") != null) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, wanted);
        }
        assertThat(Files.readString(file)).isEqualTo(wanted);
    }
}
