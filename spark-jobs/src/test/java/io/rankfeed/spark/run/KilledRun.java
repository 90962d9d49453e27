package io.rankfeed.spark.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that halts at a fault point, as {@code kill -9} would end it. */
public final class KilledRun {
    /** What {@link #of} returns where the point was reached. */
    public static final int KILLED = 137;

    private KilledRun() {}

    /** @param log gets what it says */
    public static int of(Class<?> main, String point, Path log, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens")
                        || argument.startsWith("--add-modules")
                        || argument.startsWith("-XX:")
                        || argument.startsWith("-Dio.netty"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx1g", "-Drankfeed.fault=" + point, "-cp", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("the child did not end:\n" + Files.readString(log));
        }
        return process.exitValue();
    }
}
