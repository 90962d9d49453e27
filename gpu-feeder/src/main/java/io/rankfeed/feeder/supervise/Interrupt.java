package io.rankfeed.feeder.supervise;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Records SIGINT, to distinguish it from other ends. Ctrl-C reaches every process of the terminal's foreground group at
 * once: a command that is ending for it already must not get a second signal on top.
 */
final class Interrupt {
    private static final int SIGINT = 2;

    private volatile boolean isReceived;

    private Interrupt() {}

    /** Records every later SIGINT before the previous handler runs. If this JVM does not allow it, no SIGINT is recorded. */
    static Interrupt listen() {
        Interrupt interrupt = new Interrupt();
        try {
            // By name: to compile against sun.misc is a warning that cannot be turned off.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = handler.getMethod("handle", signal);
            CompletableFuture<Object> before = new CompletableFuture<>();
            Object noting = Proxy.newProxyInstance(
                    Interrupt.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (!method.equals(handle)) {
                            return method.invoke(interrupt, arguments);
                        }
                        interrupt.isReceived = true;
                        return handle.invoke(before.join(), arguments);
                    });
            Object sigint = signal.getConstructor(String.class).newInstance("INT");
            before.complete(signal.getMethod("handle", signal, handler).invoke(null, sigint, noting));
        } catch (ReflectiveOperationException e) {
            // As with -Xrs: a SIGINT is then an end like any other.
        }
        return interrupt;
    }

    /**
     * After a SIGINT, gives a command time to end by itself. If no terminal sent the signal to the process group, sends it first.
     *
     * @param sparedPid its tree gets no signal; 0: none
     */
    void letEnd(Process command, long sparedPid, long graceNanos) throws InterruptedException {
        Optional<ProcessStat> mine = ProcessStat.of(ProcessHandle.current().pid());
        if (isReceived
                && mine.isPresent()
                && (mine.get().isInForeground() || passOn(mine.get().group(), sparedPid))) {
            command.waitFor(graceNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** The processes to which a terminal would have sent it. */
    @SuppressWarnings("restricted")
    private static boolean passOn(long group, long sparedPid) {
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle kill = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("kill"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            boolean isTold = false;
            for (ProcessHandle process : ProcessTree.alive(sparedPid)) {
                boolean isOfGroup = ProcessStat.of(process.pid())
                        .filter(stat -> stat.group() == group)
                        .isPresent();
                isTold |= isOfGroup && (int) kill.invokeExact((int) process.pid(), SIGINT) == 0;
            }
            return isTold;
        } catch (Throwable e) {
            return false;
        }
    }
}
