package io.rankfeed.feeder.cli;

import io.rankfeed.schema.failure.ConfigException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** The command with which a supervisor starts its feeder: the same Java and JVM flags, and the user's arguments up to {@code --}. */
final class FeederCommandLine {
    private static final String END_OF_FLAGS = "--";

    private FeederCommandLine() {}

    /**
     * @param instead words in place of some of the user's
     * @param more words that the user did not write
     */
    static List<String> of(CommandSpec spec, Map<String, String> instead, List<String> more) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        line.add("-cp");
        line.add(System.getProperty("java.class.path"));
        line.add(spec.root().userObject().getClass().getName());
        List<String> words = words(spec);
        words.subList(0, end(words)).forEach(word -> line.add(instead.getOrDefault(word, word)));
        line.addAll(more);
        line.add("--supervised-by");
        line.add(Long.toString(ProcessHandle.current().pid()));
        return line;
    }

    /** The user's words after {@code --}. */
    static List<String> command(CommandSpec spec) {
        List<String> words = words(spec);
        return words.subList(Math.min(end(words) + 1, words.size()), words.size());
    }

    /**
     * Without its {@code --}, a command would be parsed as the version, or the version as a command.
     *
     * @param version as it was parsed
     * @param command as it was parsed
     * @throws ConfigException if they are not what is before and after {@code --}
     */
    static void requireDoubleDash(CommandSpec spec, String version, List<String> command) {
        List<String> after = command(spec);
        if (after.size() > command.size()) {
            throw new ConfigException("VERSION-DIR is missing; write it before --, as in rankfeed " + spec.name()
                    + " VERSION-DIR -- " + String.join(" ", after));
        }
        if (after.size() < command.size()) {
            throw new ConfigException(
                    "'" + command.getFirst() + "' comes after VERSION-DIR without a --; write rankfeed " + spec.name()
                            + " " + version + " [OPTIONS] -- " + String.join(" ", command));
        }
    }

    private static List<String> words(CommandSpec spec) {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    private static int end(List<String> words) {
        int end = words.indexOf(END_OF_FLAGS);
        return end < 0 ? words.size() : end;
    }
}
