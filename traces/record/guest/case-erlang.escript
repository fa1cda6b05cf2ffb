#!/usr/bin/escript
%% SPDX-License-Identifier: MIT
%%! -sname client -setcookie case
%% Calls by Erlang's own RPC: another node adds up numbers, again and again.
%% usage: case-erlang.escript NODE CALLS

main([NodeText, CallsText]) ->
    Node = list_to_atom(NodeText),
    pong = net_adm:ping(Node),
    {ok, Tokens, _} = erl_scan:string("lists:sum(lists:seq(1, 20000))."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    Steps = [call(Node, Expressions) || _ <- lists:seq(1, list_to_integer(CallsText))],
    Pid = list_to_integer(os:getpid()),
    io:format("{\"ev\":\"start\",\"what\":\"erlang\",\"pid\":~b,\"args\":\"~s ~s\"}~n",
              [Pid, NodeText, CallsText]),
    [io:format("{\"ev\":\"step\",\"tid\":~b,\"what\":\"call\",\"begin\":~b,\"end\":~b,\"ms\":~.3f}~n",
               [Pid, Begin, End, (End - Begin) / 1.0e6]) || {Begin, End} <- Steps].

call(Node, Expressions) ->
    Begin = os:perf_counter(nanosecond),
    {value, 200010000, _} = rpc:call(Node, erl_eval, exprs, [Expressions, []]),
    End = os:perf_counter(nanosecond),
    timer:sleep(10),
    {Begin, End}.
